/** How an admin agrees to the app in a browser (OAuth 2.0, authorization code). */
export interface Consent {
  url(redirectUri: string): Promise<string>;
  accept(answer: {
    readonly code: string | null;
    readonly state: string | null;
    readonly error: string | null;
  }): Promise<{ readonly site: string }>;
}
