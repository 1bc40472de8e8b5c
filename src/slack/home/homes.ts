/** The Home tabs people look at. */
export interface Homes {
  /** Fills somebody's Home tab: at once with what is known, then with the rest. Never fails; what goes wrong is logged. */
  show(account: string): Promise<void>;
}
