import { millisecondsInDay, millisecondsInHour } from 'date-fns/constants';
import type { AuditApi } from '../api/audit/audit-api.ts';
import type { BackupsApi } from '../api/backups/create-backups.ts';
import type { ChannelsApi } from '../api/channels/create-channels.ts';
import type { DigestsApi } from '../api/digests/digests-api.ts';
import type { FlowsApi } from '../api/flows/create-flows.ts';
import type { PeopleApi } from '../api/people/create-people.ts';
import type { PersonsApi } from '../api/people/create-persons.ts';
import type { Tokens } from '../api/people/tokens.ts';
import type { RestoreApi } from '../api/restore/create-restore.ts';
import type { StatusCategories } from '../api/settings/status-categories.ts';
import type { FileProgress, FillSummary } from '../api/tracker/import-files.ts';
import type { ConsentApi, SyncApi } from '../api/tracker/sync-api.ts';
import type { DelegationPermissions } from '../model/delegation.ts';
import type { AccessRule, Directory } from '../model/directory.ts';
import { badRequest } from '../model/error.ts';
import type { Instant, User } from '../model/issue.ts';
import type { Principal } from '../model/request.ts';
import type { Doctor } from './finding.ts';

/** The rules about who may see which imported issues, and what rules can name. */
interface ImportAccess {
  directory(): Promise<Pick<Directory, 'access' | 'groups'>>;
  /** Adds rules, replacing those of the same kind and id. */
  putDirectory(part: Pick<Directory, 'access'>): Promise<void>;
  /** False when there is no such rule. */
  removeAccess(kind: AccessRule['kind'], id: string): Promise<boolean>;
  users(): Promise<ReadonlyMap<string, User>>;
  /** Keys of issues, at most `count`. */
  recentKeys(count: number): Promise<readonly string[]>;
  /** The number of issues that were read by a Dwell that did not read the roles they are restricted to. */
  countUnreadRoles(): Promise<number>;
}

/** The permissions on delegations of the tracker in use, and the groups they can name. */
export interface DelegationAccess {
  permissions(): Promise<DelegationPermissions>;
  putPermissions(permissions: DelegationPermissions): Promise<void>;
  groups(): Promise<Directory['groups']>;
}

/** The stores that `store` moves and `restore` fills, while no Dwell runs: each a folder by its path, or a database. */
export interface StoreMoves {
  /** Moves everything between two stores. */
  move(
    which: { readonly from: string; readonly to: string; readonly isForced: boolean },
    onProgress: (progress: {
      readonly step: string;
      readonly name: string;
      readonly done: number;
      readonly all: number;
    }) => void,
  ): Promise<{
    readonly from: string;
    readonly to: string;
    readonly tables: readonly {
      readonly table: string;
      readonly rows: number;
      readonly bytes: number;
      readonly checksum: string;
    }[];
    readonly files: { readonly files: number; readonly bytes: number };
  }>;
  /** Lets a store that was moved be used again; `movedTo` is null where it was not moved. */
  release(from: string): Promise<{ readonly store: string; readonly movedTo: string | null }>;
  /**
   * Makes a copy the database of a folder, by default the one in the settings; `isReplacing` moves one that is there aside,
   * into the folder `replaced`. What the copy posts on a schedule is paused, unless `isResumed`.
   */
  restore(
    which: {
      readonly file: string;
      readonly to: string | null;
      readonly isReplacing: boolean;
      readonly isResumed: boolean;
    },
    onStep: (step: string) => void,
  ): Promise<{
    readonly folder: string;
    readonly bytes: number;
    readonly replaced: string | null;
    /** The state of digests and watches; there may be none. */
    readonly posting: 'none' | 'paused' | 'resumed';
  }>;
}

/** The parts that commands work with; `out` and `err` take whole lines, `progress` overwrites one on a terminal. */
export interface CliParts {
  readonly backups: BackupsApi;
  /** Encrypts all stored secrets with the current key; `key` is its id. */
  rotateSecrets(): Promise<{
    readonly secrets: number;
    readonly rewritten: number;
    readonly key: string;
  }>;
  readonly stores: StoreMoves;
  readonly doctor: Doctor;
  readonly tenant: string;
  readonly tokens: Tokens;
  readonly audit: Pick<AuditApi, 'read' | 'reach'>;
  readonly rights: ImportAccess;
  /** The tracker that itself decides who can see what, by its name for people, and the setting that says so; null: rules do. */
  readonly trackerDecides: { readonly title: string; readonly setting: string } | null;
  readonly people: PeopleApi;
  readonly persons: PersonsApi;
  readonly delegationAccess: DelegationAccess;
  /** The settings of Slack's channels. */
  readonly channels: ChannelsApi;
  readonly digests: DigestsApi;
  readonly restore: RestoreApi;
  readonly statusCategories: StatusCategories;
  readonly flows: FlowsApi;
  readonly sync: SyncApi;
  /** Null where no consent in a browser is needed. */
  readonly consent: ConsentApi | null;
  /** The address of this service, if it is configured. */
  readonly baseUrl: string | null;
  /** The manifest of the Slack app: for Socket Mode, or for HTTP requests to an address. */
  slackManifest(address: string | null): Promise<string>;
  /** The tracker in use, whose people and rights to delegations are meant; `title` is its name as people read it. */
  tracker(): Promise<{ readonly name: string; readonly title: string }>;
  readonly now: () => Instant;
  /** Aborted when a signal ends the process: what a command must not leave behind is removed at once. */
  readonly killed: AbortSignal;
  /** Waits for a number of ms, at most until the signal is aborted. */
  wait(ms: number, signal: AbortSignal): Promise<void>;
  importFiles(files: readonly string[], onProgress: (progress: FileProgress) => void): Promise<FillSummary>;
  /** Answers an AI assistant over standard input and output, with the rights of a principal, until the input ends. */
  serveAssistant(principal: Principal): Promise<void>;
  out(line: string): void;
  /** For what is not to be piped on with the rest. */
  err(line: string): void;
  progress(line: string): void;
}

/** The lines that every command prints. */
export type CliOutput = Pick<CliParts, 'out' | 'err' | 'progress'>;

/**
 * The words and options after the name of a command; `Flags` are the options as help shows them, such as `--user NAME`.
 */
export interface Typed<Flags extends string = string> {
  readonly words: readonly string[];
  /** Undefined where the option was not typed; of one typed twice the last value. */
  value(option: Flags extends `--${infer Name} ${string}` ? Name : never): string | undefined;
  isOn(
    option: Flags extends `--${string} ${string}` ? never : Flags extends `--${infer Name}` ? Name : never,
  ): boolean;
}

/** The output of a command for scripts. */
export interface JsonOutput {
  /** The result as one JSON value: printed with `--json`, where `out` prints nothing; nothing happens without. */
  json(value: unknown): void;
  /** One of any number of results, on a line of its own; like `json`, but called once for each. */
  jsonLine(value: unknown): void;
}

/** One command of the command line, and the parts it works with. */
export interface Command<Parts = CliParts, Flags extends string = string> {
  readonly name: string;
  /** The syntax, from its name on. */
  readonly usage: string;
  /** The summary in the list of commands, one line. */
  readonly summary: string;
  /** More about it for its help, in whole sentences. */
  readonly details?: string;
  /** The words that may be typed beside options, as in `[PROJECT]` or, where it may be several, `[FILE...]`. */
  readonly words?: Readonly<Record<string, string>>;
  /**
   * The meaning of each option; a value named LIST may begin with a minus. `--json` is for a command that calls `json`.
   */
  readonly options: Readonly<Record<Flags, string>>;
  /** Command lines without `npx dwell`. */
  readonly examples: readonly string[];
  /** Runs what needs neither settings nor the store, and returns the exit code; null where `run` is to do it. */
  runAlone?(typed: Typed<Flags>, output: CliOutput & JsonOutput): number | null;
  /** Returns the exit code. */
  run(typed: Typed<Flags>, parts: Parts & JsonOutput): Promise<number>;
}

/** A command whose options are checked where it reads them. */
export function createCommand<const Flags extends string, Parts = CliParts>(
  command: Command<Parts, Flags>,
): Command<Parts, Flags> {
  return command;
}

/** An instant as scripts read it. */
export function isoTime(at: Instant): string;
export function isoTime(at: Instant | null): string | null;
export function isoTime(at: Instant | null): string | null {
  return at === null ? null : new Date(at).toISOString();
}

/** The line without line breaks and what commands a terminal: text from files and imports may hold both. */
export function printable(line: string): string {
  return line.replace(/\p{Cc}+/gu, ' ');
}

/** Often enough for who reads a log, and seldom enough for who keeps it. */
const EVERY_MS = 10_000;

/**
 * Creates the output of progress: on a terminal one line is overwritten again and again; anywhere else a line is added
 * every ten seconds, and none for shorter work.
 */
export function createProgressLine({
  watched,
  write,
  now,
}: {
  readonly watched: boolean;
  readonly write: (text: string) => void;
  readonly now: () => Instant;
}): (line: string) => void {
  if (watched) return (line) => write(`\r\u001b[K${line}`);
  let since: Instant | null = null;
  return (line) => {
    since ??= now();
    if (line === '' || now() - since < EVERY_MS) return;
    since = now();
    write(`${line}\n`);
  };
}

/** The way durations are typed, for help and for errors. */
export const durationSyntax = 'a number and m (minutes), h (hours), d (days), w (weeks) or y (years)';

const unitMs: Readonly<Record<string, number>> = {
  m: 60_000,
  h: millisecondsInHour,
  d: millisecondsInDay,
  w: 7 * millisecondsInDay,
  y: 365 * millisecondsInDay,
};

/** More than a century is a slip of the keyboard, and dates beyond it break clients. */
const MAX_MS = 100 * 365 * millisecondsInDay;

/**
 * Reads the value of an option that is a length of time, such as `90d`, in milliseconds: minutes, hours, days, weeks, or
 * years of 365 days. Fails with what works, such as `example`.
 */
export function readDuration(option: string, typed: string, example: string): number {
  const [, count, unit] = /^(\d{1,6})([mhdwy])$/.exec(typed) ?? [];
  const ms = Number(count ?? 0) * (unitMs[unit ?? ''] ?? 0);
  if (ms > 0 && ms <= MAX_MS) return ms;
  throw badRequest(
    `${option} '${typed}' is not known. Try: ${durationSyntax}, such as ${example}, up to 100y.`,
  );
}
