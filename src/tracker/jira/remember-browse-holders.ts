import type { Instant } from '../../model/issue.ts';
import { askBrowseHolders } from './ask-browse-holders.ts';
import type { BrowseHolders } from './browse-holders.ts';
import type { JiraClient } from './jira-client.ts';

const HOUR_MS = 60 * 60_000;
/** Shorter, so that whoever lets our account read a scheme need not wait for long. */
const REFUSED_MS = 5 * 60_000;

/** To whom the project with a key is open; null: its permission scheme may not be read. */
export type HoldersOf = (projectKey: string, client: JiraClient) => Promise<BrowseHolders | null>;

/** Reads each permission scheme once in an hour, whoever asks for it first; a failure is not remembered. */
export function rememberBrowseHolders(now: () => Instant): HoldersOf {
  const known = new Map<
    string,
    { readonly at: Instant; readonly asking: Promise<BrowseHolders | null>; goodForMs: number }
  >();
  return (projectKey, client) => {
    const kept = known.get(projectKey);
    const age = kept === undefined ? 0 : now() - kept.at;
    if (kept !== undefined && age >= 0 && age < kept.goodForMs) return kept.asking;
    const mine = { at: now(), asking: askBrowseHolders(client, projectKey), goodForMs: HOUR_MS };
    known.set(projectKey, mine);
    mine.asking.then(
      (holders) => {
        if (holders === null) mine.goodForMs = REFUSED_MS;
      },
      () => {
        if (known.get(projectKey) === mine) known.delete(projectKey);
      },
    );
    return mine.asking;
  };
}
