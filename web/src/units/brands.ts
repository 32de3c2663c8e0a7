/** Numbers that know what they measure. A brand costs nothing at run time and stops ms from being added to µs. */

declare const brand: unique symbol;
type Branded<Name extends string> = number & { readonly [brand]: Name };

export type Millis = Branded<"Millis">;
export type Micros = Branded<"Micros">;
export type Seconds = Branded<"Seconds">;
/** Logical reads per second. */
export type LioPerSecond = Branded<"LioPerSecond">;
/** 5.5 stands for 5.5 %. */
export type Percent = Branded<"Percent">;

export const millis = (value: number): Millis => value as Millis;
export const micros = (value: number): Micros => value as Micros;
export const seconds = (value: number): Seconds => value as Seconds;
export const lioPerSecond = (value: number): LioPerSecond => value as LioPerSecond;
export const percent = (value: number): Percent => value as Percent;

export const millisFromMicros = (value: Micros): Millis => millis(value / 1000);
export const millisFromSeconds = (value: Seconds): Millis => millis(value * 1000);
