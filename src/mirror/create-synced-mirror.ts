import { AppError } from '../model/error.ts';
import type { Issue } from '../model/issue.ts';
import type { Asker } from '../model/request.ts';
import { type SyncStatus, syncCommand } from '../model/sync.ts';
import { progressText, stillText } from '../output/sync-text.ts';
import type { IssueStore } from '../store/store.ts';
import type { SightFor } from './create-sights.ts';
import type { Mirror, UnreadIssue } from './mirror.ts';
import { rememberFormerKeys } from './remember-issues.ts';

/** What a mirror that is kept fresh is made from, besides the store. */
interface SyncedMirrorParts {
  readonly status: () => Promise<SyncStatus | null>;
  /** Why nothing that is kept may be told, in a sentence; null: it may. */
  readonly refusal: () => Promise<string | null>;
  readonly unread?: () => Promise<readonly UnreadIssue[]>;
  /** Null: rules of ours decide who sees what. */
  readonly sightFor: SightFor | null;
  /** Told why the tracker could not be asked what somebody may see; askers are not, for it names what is not theirs to know. */
  readonly onUntold: (error: AppError) => void;
}

/** The mirror of a tracker that is kept fresh. `issues` are all of the store's. */
export function createSyncedMirror(
  name: string,
  store: IssueStore & { readonly issues: () => Promise<readonly Issue[]> },
  { status, refusal, unread = async () => [], sightFor, onUntold }: SyncedMirrorParts,
): Mirror {
  const sightOf = async (asker: Asker) => {
    try {
      return (await sightFor?.(asker)) ?? null;
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      onUntold(error);
      throw untold(error);
    }
  };
  const mayTell = async () => {
    const why = await refusal();
    if (why !== null) throw new AppError('unavailable', why);
  };
  const told = async <Kept>(kept: () => Promise<Kept>): Promise<Kept> => {
    await mayTell();
    return kept();
  };
  const formerKeys = rememberFormerKeys(store);
  const settled = async () => {
    await mayTell();
    const current = await status();
    if (current === null || !current.filled) throw new AppError('unavailable', sayProgress(current));
  };
  return {
    tracker: async () => name,
    filledAt: async () => (await status())?.asOf ?? null,
    issue: (key) => told(() => store.issue(key)),
    formerKeys: () => told(formerKeys),
    async issues() {
      await settled();
      return store.issues();
    },
    settled,
    unread,
    directory: () => told(() => store.directory()),
    async directoryFor(asker) {
      await mayTell();
      const [directory, sight] = await Promise.all([store.directory(), sightOf(asker)]);
      return { ...directory, sight };
    },
    statuses: () => told(() => store.statuses()),
    users: (ids) => told(() => store.users(ids)),
    recentKeys: (count) => told(() => store.recentKeys(count)),
  };
}

function untold(cause: AppError): AppError {
  return new AppError(
    'unavailable',
    'Jira cannot be asked at the moment what you may see.',
    [`Whoever runs Dwell finds why with \`${syncCommand}\`.`],
    { cause },
  );
}

function sayProgress(status: SyncStatus | null): string {
  const { site = '', done = 0, total = null, problem = null, comparedAt = null } = status ?? {};
  // What was compared before is asked for by another JQL now.
  const what = comparedAt === null ? 'The first fill' : 'The fill after a change of JIRA_JQL';
  const fill = site === '' ? what : `${what} from ${site}`;
  const single = done === 0 ? '' : ' Single issues that are here can be asked for already.';
  return problem === null
    ? `${fill} is under way: ${progressText({ done, total })}.${single}`
    : `${fill} ${stillText({ done, total })}; whoever runs Dwell finds why with \`${syncCommand}\`.${single}`;
}
