import { projectKeyOf } from '../../issues/issue-fields.ts';
import type { Mirror, UnreadIssue } from '../../mirror/mirror.ts';
import type { PrincipalsDirectory } from '../../model/directory.ts';
import { about, badRequest } from '../../model/error.ts';
import type { Instant, Issue, Status, User } from '../../model/issue.ts';
import type { Principal } from '../../model/principal.ts';
import { isTimeZone } from '../../time/zones.ts';
import { closedProjects } from '../access-rules.ts';
import {
  type createSeenIssues,
  principalVocabulary,
  type SeenIssues,
  type Vocabulary,
} from './seen-issues.ts';

/** The world in which one question is asked; it stays the same until the question is answered. */
export interface QueryContext {
  readonly principal: Principal;
  readonly askedAt: Instant;
  /** The instant the answer speaks of. */
  readonly asOf: Instant;
  /** The zone of the question, else the principal's. */
  readonly timeZone: string;
  readonly tracker: string;
  readonly dataAsOf: Instant | null;
  readonly directory: PrincipalsDirectory;
  /** Issues closed to the principal only because the tracker could not be asked about them. */
  readonly unasked: number;
  /** Issues of projects the principal may see of which nothing can be read. */
  readonly unread: readonly UnreadIssue[];
  readonly statuses: ReadonlyMap<string, Status>;
  /** The people with these ids. */
  readonly people: (ids: Iterable<string>) => Promise<ReadonlyMap<string, User>>;
  /** Any issue by key, whoever may see it. */
  readonly issue: (key: string) => Promise<Issue | null>;
  /** `unavailable` while an issue that is not here may be yet to come. */
  readonly settled: () => Promise<void>;
  /**
   * All issues the principal may see, and what the principal may know beside them. `formerKeys`: of any issue, whoever may see
   * it, its key by each that it had before.
   */
  readonly world: () => Promise<World>;
}

/** All that a principal may see. */
export interface World extends SeenIssues {
  readonly vocabulary: Vocabulary;
  readonly formerKeys: ReadonlyMap<string, string>;
}

/** Looks at the mirror on behalf of a principal. A zone nobody knows is `bad-request`. */
export async function openQueryContext(
  mirror: Mirror,
  {
    principal,
    asOf,
    askedAt,
    timeZone,
    usualZone,
    seenIssues,
  }: Pick<QueryContext, 'principal' | 'askedAt'> & {
    readonly asOf: Instant | null;
    readonly timeZone: string | null;
    /** Where the tracker tells none of the principal. */
    readonly usualZone: string;
    readonly seenIssues: ReturnType<typeof createSeenIssues>;
  },
): Promise<QueryContext> {
  if (timeZone !== null && !isTimeZone(timeZone)) {
    throw badRequest(
      about('timeZone', `'${timeZone}' is not known; allowed: an IANA time zone, such as Europe/Berlin.`),
    );
  }
  const [directory, statuses, own, unread] = await Promise.all([
    mirror.directoryFor(principal),
    mirror.statuses(),
    mirror.users([principal.account]),
    mirror.unread?.() ?? [],
  ]);
  const isClosed = closedProjects(principal, directory);
  return {
    principal,
    askedAt,
    asOf: asOf ?? askedAt,
    timeZone: timeZone ?? zoneOf(own.get(principal.account), usualZone),
    tracker: await mirror.tracker(),
    dataAsOf: await mirror.filledAt(),
    directory,
    unasked: principal.rights === 'admin' ? 0 : (directory.sight?.unasked ?? 0),
    unread:
      principal.rights === 'admin' ? unread : unread.filter((one) => isClosed?.(projectKeyOf(one)) !== true),
    statuses,
    people: (ids) => mirror.users(ids),
    issue: (key) => mirror.issue(key),
    settled: () => mirror.settled(),
    async world() {
      const [table, users, formerKeys] = await Promise.all([
        mirror.table(),
        mirror.users(),
        mirror.formerKeys(),
      ]);
      const seen = await seenIssues(table, principal, directory);
      return {
        ...seen,
        formerKeys,
        vocabulary: principalVocabulary(principal, { statuses, users, directory }, seen),
      };
    },
  };
}

/** A person's own zone where the tracker tells one that exists, else the tracker server's. */
export function zoneOf(user: User | undefined, otherwise: string): string {
  const own = user?.timeZone;
  return own !== undefined && isTimeZone(own) ? own : otherwise;
}
