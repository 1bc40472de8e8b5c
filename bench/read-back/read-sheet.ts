/** A cell as another program reads it; a date is a day (yyyy-MM-dd) or a clock (yyyy-MM-dd HH:mm:ss). */
export type ReadCell =
  | string
  | number
  | boolean
  | null
  | { readonly date: string }
  /** What no file of ours holds: formulas, errors. */
  | { readonly foreign: string };

/** A sheet with its titles as the first row; cells that are missing at the end of a row are empty. */
export interface ReadSheet {
  readonly name: string;
  readonly rows: readonly (readonly ReadCell[])[];
}
