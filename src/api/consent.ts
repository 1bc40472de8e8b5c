/** How an admin lets us ask the tracker in their name, where that needs a yes given in a browser (OAuth 2.0). */
export interface ConsentApi {
  /** Where to say yes; what comes back leads to `redirectUri`, which the app must have been given word for word. */
  url(redirectUri: string): Promise<string>;
  /**
   * Takes what came back and tells which site may be asked from now on. `not-allowed` when it is not the answer to a
   * question of ours, `bad-request` when the answer was no.
   */
  accept(answer: {
    readonly code: string | null;
    readonly state: string | null;
    readonly error: string | null;
  }): Promise<{ readonly site: string }>;
}
