/** The Home tabs people look at. */
export interface Homes {
  /** Fills somebody's Home tab: at once with what is known, then with the rest. Never fails; what goes wrong is logged. */
  show(account: string): Promise<void>;
  /** The same after something on it has changed, for who has looked at it within the hour. */
  follow(account: string): Promise<void>;
}
