/** Numbers that know what they measure. A brand costs nothing at run time and stops seconds from being shown as ms. */

declare const brand: unique symbol;
type Branded<Name extends string> = number & { readonly [brand]: Name };

export type Millis = Branded<"Millis">;
export type Seconds = Branded<"Seconds">;
/** Logical reads per second. */
export type LioPerSecond = Branded<"LioPerSecond">;
/** 5.5 stands for 5.5 %. */
export type Percent = Branded<"Percent">;

export const millis = (value: number): Millis => value as Millis;
export const seconds = (value: number): Seconds => value as Seconds;

export const millisFromSeconds = (value: Seconds): Millis => millis(value * 1000);
