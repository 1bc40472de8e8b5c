import { millisecondsInHour, millisecondsInMinute } from 'date-fns/constants';
import type { Instant } from '../../model/issue.ts';
import { askBrowseHolders, type BrowseHolders } from './browse-holders.ts';
import type { JiraClient } from './jira-client.ts';
import { areCredentialsRefused } from './jira-failures.ts';

/** Shorter, so that whoever lets our account read a scheme need not wait for long. */
const REFUSED_MS = 5 * millisecondsInMinute;
/** Enough that not every asker waits for a project that fails. */
const FAILED_MS = 30_000;

/** To whom the project with a key is open; null: its permission scheme may not be read. */
export type HoldersOf = (projectKey: string, client: JiraClient) => Promise<BrowseHolders | null>;

/**
 * Reads each permission scheme once in an hour, whoever asks for it first. What failed is asked again after half a
 * minute, and at once where our account was not let in.
 */
export function rememberBrowseHolders(now: () => Instant): HoldersOf {
  const known = new Map<
    string,
    { at: Instant; readonly asking: Promise<BrowseHolders | null>; goodForMs: number }
  >();
  return (projectKey, client) => {
    const kept = known.get(projectKey);
    const age = kept === undefined ? 0 : now() - kept.at;
    if (kept !== undefined && age >= 0 && age < kept.goodForMs) return kept.asking;
    const mine = { at: now(), asking: askBrowseHolders(client, projectKey), goodForMs: millisecondsInHour };
    known.set(projectKey, mine);
    mine.asking.then(
      (holders) => {
        if (holders === null) mine.goodForMs = REFUSED_MS;
      },
      (error: unknown) => {
        mine.at = now();
        mine.goodForMs = areCredentialsRefused(error) ? 0 : FAILED_MS;
      },
    );
    return mine.asking;
  };
}
