declare module 'pg-copy-streams' {
  import type { Writable } from 'node:stream';
  import type { Submittable } from 'pg';

  /** A stream whose bytes become the rows that `COPY … FROM STDIN` reads; a client runs it as a query. */
  export function from(text: string): Writable & Submittable;
}
