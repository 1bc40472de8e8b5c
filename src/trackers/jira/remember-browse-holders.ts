import { millisecondsInHour, millisecondsInMinute } from 'date-fns/constants';
import { createNamespace } from '../../cache/namespace.ts';
import type { Instant } from '../../model/issue.ts';
import { askBrowseHolders, type BrowseHolders } from './browse-holders.ts';
import type { JiraClient } from './jira-client.ts';
import { areCredentialsRefused } from './jira-failures.ts';

/** Shorter, so that a new permission of our account takes effect soon. */
const REFUSED_MS = 5 * millisecondsInMinute;
/** Enough that not every principal waits for a project that fails. */
const FAILED_MS = 30_000;
const MAX_PROJECTS = 10_000;

/** To whom the project with a key is open; null: its permission scheme may not be read. */
export type HoldersOf = (projectKey: string, client: JiraClient) => Promise<BrowseHolders | null>;

type Looked = { readonly holders: BrowseHolders | null } | { readonly failure: unknown };

/**
 * Reads each permission scheme once an hour, for all users. A failed read is repeated after half a minute, and at once
 * where our account had no access.
 */
export function rememberBrowseHolders(now: () => Instant): HoldersOf {
  const schemes = createNamespace<Looked>({
    name: 'jira-browse-holders',
    ttlMs(looked) {
      if ('failure' in looked) return areCredentialsRefused(looked.failure) ? 0 : FAILED_MS;
      return looked.holders === null ? REFUSED_MS : millisecondsInHour;
    },
    most: MAX_PROJECTS,
    now,
    // The wait after a failure begins when it is known, however long that took.
    ages: (looked) => ('failure' in looked ? 'answered' : 'asked'),
  });
  return async (projectKey, client) => {
    const looked = await schemes.getOrMake(projectKey, () =>
      askBrowseHolders(client, projectKey).then(
        (holders) => ({ holders }),
        (failure: unknown) => ({ failure }),
      ),
    );
    if ('failure' in looked) throw looked.failure;
    return looked.holders;
  };
}
