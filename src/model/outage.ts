/** The failure of a service that Dwell goes on without: refused or unreachable, and the reason as a sentence. */
export interface Outage {
  readonly state: 'refused' | 'unreachable';
  readonly reason: string;
}
