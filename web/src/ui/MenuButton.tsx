import {
  useEffect, useId, useLayoutEffect, useRef, useState, type KeyboardEvent, type ReactNode, type RefObject,
} from "react";

export interface MenuChoice {
  readonly id: string;
  readonly label: string;
  readonly detail?: string;
  /** One of several of which one is chosen; absent: something to do. */
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
  readonly onOpen?: () => void;
  readonly onChoose: (id: string) => void;
}

export function MenuButton({ label, className, children, groups, onOpen, onChoose }: MenuButtonProps) {
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    if (isOpen) onOpen?.();
  }, [isOpen, onOpen]);
  const button = useRef<HTMLButtonElement>(null);
  const id = useId();
  const close = () => {
    setOpen(false);
    button.current?.focus();
  };
  const choose = (choice: string) => {
    close();
    onChoose(choice);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
    event.preventDefault();
    setOpen(true);
  };
  return (
    <>
      <button
        ref={button} type="button" className={className} aria-label={label} aria-haspopup="menu" aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined} popoverTarget={id} onKeyDown={onKeyDown}
        // To the platform a press on the button of its menu is none elsewhere; what it does is said here.
        onClick={(event) => {
          event.preventDefault();
          setOpen((was) => !was);
        }}
      >
        {children}
      </button>
      {isOpen ? (
        <Menu
          id={id} label={label ?? groups[0]?.title ?? "Menu"} groups={groups} button={button} onChoose={choose}
          onClose={close} onLeave={() => setOpen(false)}
        />
      ) : null}
    </>
  );
}

interface MenuProps {
  readonly id: string;
  readonly label: string;
  readonly groups: readonly MenuGroup[];
  readonly button: RefObject<HTMLButtonElement | null>;
  readonly onChoose: (id: string) => void;
  /** Closes, and gives the focus back. */
  readonly onClose: () => void;
  readonly onLeave: () => void;
}

const GAP = 6;
const EDGE = 12;
const LEAST = 220;

/** Below the button, or above it where there is more room; never beyond the window. */
export function place(menu: HTMLElement, button: HTMLElement): void {
  // The page may be zoomed: what is measured is, what is set is not.
  const zoom = Number(getComputedStyle(document.documentElement).getPropertyValue("--zoom")) || 1;
  const box = button.getBoundingClientRect();
  const px = (pixels: number): string => `${pixels / zoom}px`;
  const [below, above] = [innerHeight - box.bottom - GAP - EDGE, box.top - GAP - EDGE];
  const isBelow = below >= Math.min(LEAST, menu.scrollHeight * zoom) || below >= above;
  menu.style.left = px(Math.max(EDGE, Math.min(box.left, innerWidth - menu.getBoundingClientRect().width - EDGE)));
  menu.style.maxHeight = px(isBelow ? below : above);
  menu.style.top = isBelow ? px(box.bottom + GAP) : "auto";
  menu.style.bottom = isBelow ? "auto" : px(innerHeight - box.top + GAP);
}

/**
 * Listens for what closes a menu: the platform, which hears presses elsewhere; the focus elsewhere; another size of the
 * window.
 */
function useLeaving(
  menu: RefObject<HTMLElement | null>, button: RefObject<HTMLElement | null>, onLeave: () => void,
): void {
  const leave = useRef(onLeave);
  useEffect(() => {
    leave.current = onLeave;
  });
  useEffect(() => {
    const box = menu.current;
    const onFocus = ({ target }: Event) => {
      if (box?.contains(target as Node) !== true && button.current?.contains(target as Node) !== true) leave.current();
    };
    const onToggle = (event: Event) => {
      if ((event as ToggleEvent).newState === "closed") leave.current();
    };
    const onResize = () => leave.current();
    box?.addEventListener("toggle", onToggle);
    document.addEventListener("focusin", onFocus);
    addEventListener("resize", onResize);
    return () => {
      box?.removeEventListener("toggle", onToggle);
      document.removeEventListener("focusin", onFocus);
      removeEventListener("resize", onResize);
    };
  }, [menu, button]);
}

/** Letters that come within so long of one another are the beginning of one word [ms]. Free. */
const WORD_MS = 700;

/** What has been typed with one more letter; the same one again and again leads from item to item. */
const typedOn = (text: string, isLate: boolean, letter: string): string =>
  isLate || text === letter ? letter : text + letter;

/** The item that a key leads to, or null if the key is not the menu's. Letters lead to one that begins with them. */
function itemFor(items: readonly HTMLElement[], at: number, key: string, typed: string): HTMLElement | null {
  const last = items.length - 1;
  const moves: Record<string, number> = {
    ArrowDown: at >= last ? 0 : at + 1, ArrowUp: at <= 0 ? last : at - 1, Home: 0, End: last,
    PageDown: Math.min(last, at + 8), PageUp: Math.max(0, at - 8),
  };
  const move = moves[key];
  if (move !== undefined) return items[move] ?? null;
  if (key.length !== 1) return null;
  const from = typed.length > 1 ? Math.max(0, at) : at + 1;
  const order = [...items.slice(from), ...items.slice(0, from)];
  return order.find((item) => item.textContent.trim().toLowerCase().startsWith(typed)) ?? null;
}

function Menu({ id, label, groups, button, onChoose, onClose, onLeave }: MenuProps) {
  const menu = useRef<HTMLDivElement>(null);
  useLeaving(menu, button, onLeave);
  useLayoutEffect(() => {
    if (menu.current === null || button.current === null) return;
    // In the page's top layer: nothing covers it, nothing cuts it off.
    menu.current.showPopover();
    place(menu.current, button.current);
    (menu.current.querySelector<HTMLElement>("[aria-checked=true]") ?? menu.current.querySelector("button"))?.focus();
  }, [button]);
  const typed = useRef("");
  const typedAt = useRef(0);
  const onKeyDown = (event: KeyboardEvent) => {
    // A letter means an item here, and nothing to what stands around the menu.
    event.stopPropagation();
    if (event.key === "Escape" || event.key === "Tab") {
      event.preventDefault();
      onClose();
      return;
    }
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const items = [...(menu.current?.querySelectorAll("button") ?? [])];
    if (event.key.length === 1) {
      const isLate = event.timeStamp - typedAt.current > WORD_MS;
      [typed.current, typedAt.current] = [typedOn(typed.current, isLate, event.key.toLowerCase()), event.timeStamp];
    }
    const at = items.findIndex((item) => item === document.activeElement);
    const next = itemFor(items, at, event.key, typed.current);
    if (next === null) return;
    event.preventDefault();
    next.focus();
  };
  return (
    <div
      ref={menu} id={id} className="popover" popover="auto" role="menu" tabIndex={-1} aria-label={label}
      onKeyDown={onKeyDown}
    >
      {groups.map((group) => (
        <div key={group.title} className="menu" role="group" aria-label={group.title}>
          <div className="menu-head" aria-hidden="true">
            {group.title}
          </div>
          {group.choices.map((choice) => (
            <button
              key={choice.id} type="button" className="menu-item"
              role={choice.isSelected === undefined ? "menuitem" : "menuitemradio"} aria-checked={choice.isSelected}
              onClick={() => onChoose(choice.id)}
            >
              {choice.label}
              {choice.detail === undefined ? null : <small>{choice.detail}</small>}
            </button>
          ))}
        </div>
      ))}
    </div>
  );
}
