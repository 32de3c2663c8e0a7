export interface MenuRow {
  readonly keys: readonly string[];
  /** Null: on the button. */
  readonly at: string | null;
}

export interface MenuLook {
  readonly at: string | null;
  readonly isOpen: boolean;
  readonly isSaid: boolean;
  readonly isOfButton: boolean;
}

export declare const button: string;
export declare const busy: string;
export declare const rows: readonly MenuRow[];
export declare function lookAtMenu(label: string): MenuLook;
export declare function expected(row: MenuRow): MenuLook;
export declare function countFocus(): void;
export declare function holdTab(press: () => Promise<void>, seconds: number): Promise<number>;
export declare function focusCount(): { readonly times: number; readonly places: number };
