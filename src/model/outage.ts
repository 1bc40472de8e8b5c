/** What Dwell goes on without: a service that refuses it, or that it cannot reach, and why, as a sentence. */
export interface Outage {
  readonly state: 'refused' | 'unreachable';
  readonly reason: string;
}
