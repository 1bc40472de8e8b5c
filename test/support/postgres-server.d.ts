/** A server that runs until it is stopped. */
interface PostgresServer {
  /** Its address, without a database. */
  readonly url: string;
  readonly folder: string;
  stop(): Promise<void>;
  /** Ends it by a signal, of which QUIT crashes it, and starts it again. */
  restart(signal: 'INT' | 'QUIT'): Promise<void>;
}

/** Starts a server in a folder, by default a new temporary folder. */
export function startPostgres(folder?: string): Promise<PostgresServer>;

/** Makes the databases that those of suites are copies of. */
export function makeTemplate(url: string): Promise<void>;

/** Puts the programs where the user that runs them can read them: the folder of programs, that user's, and who that is. */
export function preparePostgres(folder: string): Promise<{
  readonly bin: string;
  readonly files: string;
  readonly as: { readonly uid?: number; readonly gid?: number };
}>;
export function freePort(): Promise<number>;
export function answers(url: string): Promise<boolean>;
