import type { ReactNode } from "react";
import { Button } from "react-aria-components/Button";
import { Dialog, Heading } from "react-aria-components/Dialog";
import { Modal, ModalOverlay } from "react-aria-components/Modal";

export interface DialogBoxProps {
  readonly title: string;
  readonly isOpen: boolean;
  readonly size?: "normal" | "wide";
  readonly onClose: () => void;
  readonly children: ReactNode;
}

export function DialogBox({ title, isOpen, size = "normal", onClose, children }: DialogBoxProps) {
  return (
    <ModalOverlay className="overlay" isOpen={isOpen} isDismissable onOpenChange={(open) => { if (!open) onClose(); }}>
      <Modal style={{ display: "contents" }}>
        <Dialog className="dialog" data-size={size}>
          <header>
            <Heading slot="title">{title}</Heading>
            <Button onPress={onClose}>Close</Button>
          </header>
          {children}
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}
