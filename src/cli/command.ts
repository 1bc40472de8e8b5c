import type { ChannelsApi } from '../api/channels.ts';
import type { ConsentApi } from '../api/consent.ts';
import type { DigestsApi } from '../api/digests.ts';
import type { FileProgress, FillSummary } from '../api/import-files.ts';
import type { PeopleApi } from '../api/people.ts';
import type { SyncApi } from '../api/sync.ts';
import type { Tokens } from '../api/tokens.ts';
import type { DelegationPermissions } from '../model/delegation.ts';
import type { AccessRule, Directory } from '../model/directory.ts';
import type { Instant, User } from '../model/issue.ts';

/** The rules about who may see which imported issues, and what rules can name. */
export interface Rights {
  directory(): Promise<Pick<Directory, 'access' | 'groups'>>;
  /** Adds rules, replacing those of the same kind and id. */
  putDirectory(part: Pick<Directory, 'access'>): Promise<void>;
  /** False when there is no such rule. */
  removeAccess(kind: AccessRule['kind'], id: string): Promise<boolean>;
  users(): Promise<ReadonlyMap<string, User>>;
  /** Keys of issues, at most `count`. */
  recentKeys(count: number): Promise<readonly string[]>;
  /** How many issues were read by a Dwell that did not read the roles they are restricted to. */
  countUnreadRoles(): Promise<number>;
}

/** Who may see and change which delegations of the tracker in use, and whom such a permission can name. */
export interface DelegationAccess {
  permissions(): Promise<DelegationPermissions>;
  putPermissions(permissions: DelegationPermissions): Promise<void>;
  groups(): Promise<Directory['groups']>;
}

/** What commands work with; `out` and `err` take whole lines, `progress` overwrites one where a person watches. */
export interface CliParts {
  readonly tokens: Tokens;
  readonly rights: Rights;
  /** The tracker itself says who may see what: rules of ours are not asked. */
  readonly trackerDecides: boolean;
  readonly people: PeopleApi;
  readonly delegationAccess: DelegationAccess;
  /** What was chosen for Slack's channels. */
  readonly channels: ChannelsApi;
  readonly digests: DigestsApi;
  readonly sync: SyncApi;
  /** Null where nobody has to agree to us in a browser. */
  readonly consent: ConsentApi | null;
  /** Where this service is reached, if that is configured. */
  readonly baseUrl: string | null;
  /** What an app in Slack is created from: in Socket Mode, or called over HTTP at an address. */
  slackManifest(address: string | null): Promise<string>;
  /** Name of the tracker in use: whose people, and rights to delegations, are meant. */
  tracker(): Promise<string>;
  readonly now: () => Instant;
  importFiles(files: readonly string[], onProgress: (progress: FileProgress) => void): Promise<FillSummary>;
  out(line: string): void;
  /** For what is not to be piped on with the rest. */
  err(line: string): void;
  progress(line: string): void;
}

/** One command of the command line. `run` returns the exit code. */
export interface Command {
  readonly name: string;
  readonly usage: string;
  readonly summary: string;
  run(args: readonly string[], parts: CliParts): Promise<number>;
}
