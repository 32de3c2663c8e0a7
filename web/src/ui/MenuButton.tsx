import type { ReactNode } from "react";
import { Button } from "react-aria-components/Button";
import { Header, Menu, MenuItem, MenuSection, MenuTrigger } from "react-aria-components/Menu";
import { Popover } from "react-aria-components/Popover";

export interface MenuChoice {
  readonly id: string;
  readonly label: string;
  readonly detail?: string;
  readonly isSelected?: boolean;
}

export interface MenuGroup {
  readonly title: string;
  readonly choices: readonly MenuChoice[];
}

export interface MenuButtonProps {
  readonly label?: string;
  readonly className?: string;
  readonly children: ReactNode;
  readonly groups: readonly MenuGroup[];
  readonly onChoose: (id: string) => void;
}

export function MenuButton({ label, className, children, groups, onChoose }: MenuButtonProps) {
  return (
    <MenuTrigger>
      <Button className={className ?? ""} {...(label === undefined ? {} : { "aria-label": label })}>{children}</Button>
      <Popover className="popover" offset={6} placement="bottom start">
        <Menu className="menu" aria-label={label ?? groups[0]?.title ?? "Menu"} onAction={(id) => onChoose(String(id))}>
          {groups.map((group) => (
            <MenuSection key={group.title} aria-label={group.title}>
              <Header className="menu-head">{group.title}</Header>
              {group.choices.map((choice) => (
                <MenuItem key={choice.id} id={choice.id} className="menu-item" textValue={choice.label} data-selected={choice.isSelected || undefined}>
                  {choice.label}
                  {choice.isSelected ? <span className="unseen"> (chosen)</span> : null}
                  {choice.detail === undefined ? null : <small>{choice.detail}</small>}
                </MenuItem>
              ))}
            </MenuSection>
          ))}
        </Menu>
      </Popover>
    </MenuTrigger>
  );
}
