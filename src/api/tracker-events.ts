/** What the tracker tells us of by itself. */
export interface TrackerEvents {
  /**
   * Takes an event as it came over the wire. `not-found` where none are taken, `not-allowed` when its signature does not
   * prove that the tracker sent it, `bad-request` when it cannot be read. An event about something else is just taken.
   */
  receive(body: Buffer, signature: string | undefined): Promise<void>;
}
