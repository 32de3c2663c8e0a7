import { useId, useLayoutEffect, useRef, type ReactNode } from "react";

export interface DialogBoxProps {
  readonly title: string;
  readonly isOpen: boolean;
  readonly size?: "normal" | "wide" | "full";
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** The browser's own modal dialog: it keeps the focus, hears Escape, and gives the focus back. */
export function DialogBox({ title, isOpen, size = "normal", onClose, children }: DialogBoxProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const isFromBeside = useRef(false);
  const id = useId();
  useLayoutEffect(() => {
    const box = dialog.current;
    if (box === null || box.open === isOpen) return;
    if (isOpen) box.showModal();
    else box.close();
  }, [isOpen]);
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- a press beside the box; its key is Escape
    <dialog
      ref={dialog} className="dialog" data-size={size} aria-labelledby={id} onClose={onClose}
      onPointerDown={(event) => void (isFromBeside.current = event.target === event.currentTarget)}
      onClick={(event) => {
        // A selection of text that began inside may end beside the box.
        if (isFromBeside.current && event.target === event.currentTarget) onClose();
      }}
    >
      {isOpen ? (
        <div className="dialog-body">
          <header>
            <h2 id={id}>{title}</h2>
            <button type="button" onClick={onClose}>
              Close
            </button>
          </header>
          {children}
        </div>
      ) : null}
    </dialog>
  );
}
