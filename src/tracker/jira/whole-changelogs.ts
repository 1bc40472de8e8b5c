import { parseInstant } from '../jira-json/parse-instant.ts';
import {
  type Changelog,
  changelogOf,
  embeddedChangelog,
  joinChangelogs,
  lackOf,
  oldestFirst,
} from './changelog.ts';
import { createChangelogBulk } from './changelog-bulk.ts';
import { askChangelogPages } from './changelog-pages.ts';
import type { JiraClient, JiraKind } from './jira-client.ts';
import { mapAtMost } from './map-at-most.ts';
import type { IssueJson, JiraSearch } from './search.ts';

/** Cloud cuts a changelog that comes with an issue at this many entries at the least, and its total may not say so. */
const SHORTEST_CUT = 40;
const AT_ONCE = 8;
const TRIES = 2;
const SECOND_MS = 1000;

/** An issue and its changelog of one time, oldest entry first. `lack`: what is missing of it; null: nothing. */
export interface WholeIssue {
  readonly issue: IssueJson;
  readonly histories: readonly unknown[];
  readonly lack: string | null;
}

interface Read {
  readonly changelog: Changelog;
  readonly lack: string | null;
}

/** Completes the changelogs that came with issues. Issues that are gone meanwhile are left out. */
export function createWholeChangelogs(
  client: JiraClient,
): (search: JiraSearch, kind: JiraKind, issues: readonly IssueJson[]) => Promise<WholeIssue[]> {
  const askBulk = createChangelogBulk(client);
  return async (search, kind, issues) => {
    const cut = kind === 'cloud' ? issues.filter((issue) => wholeAlready(kind, issue) === null) : [];
    const bulk = await askBulk(cut.map(({ id }) => id));
    const settled = await mapAtMost(AT_ONCE, issues, async (issue): Promise<WholeIssue | null> => {
      const told =
        wholeAlready(kind, issue) ?? (bulk === null ? null : (bulk.get(issue.id) ?? changelogOf([])));
      const read = await verify(client, issue, told);
      if (read === null || !changedSince(issue, read.changelog)) return read && wholeIssue(issue, read);
      const [now] = await search.byIds([issue.id]);
      if (now === undefined) return null;
      const again = await verify(client, now, wholeAlready(kind, now) ?? read.changelog);
      return again && wholeIssue(now, again);
    });
    return settled.filter((one) => one !== null);
  };
}

/** What came with the issue, where that is all for sure. */
function wholeAlready(kind: JiraKind, issue: IssueJson): Changelog | null {
  const along = embeddedChangelog(issue.changelog);
  if (along === null || along.entries.size < along.total) return null;
  return kind === 'dataCenter' || along.entries.size < SHORTEST_CUT ? along : null;
}

/** The changelog told so far if nothing of it is missing, or else what its pages tell; null: the issue is gone. */
async function verify(client: JiraClient, issue: IssueJson, told: Changelog | null): Promise<Read | null> {
  const along = embeddedChangelog(issue.changelog);
  // Without anything that came along nobody has counted yet.
  if (told !== null && along !== null && lackOf(told, along) === null) return { changelog: told, lack: null };
  const known = along ?? changelogOf([]);
  let read: Read = { changelog: known, lack: 'Jira was not asked' };
  for (let tries = 0; tries < TRIES && read.lack !== null; tries += 1) {
    const paged = await askChangelogPages(client, issue.id);
    if (paged.kind === 'gone') return null;
    if (paged.kind === 'refused') return { changelog: known, lack: paged.reason };
    const { changelog } = paged;
    read = { changelog: joinChangelogs(known, changelog), lack: lackOf(changelog, along) };
  }
  return read;
}

/** Whether the changelog tells of something later than the fields do. */
function changedSince({ fields }: IssueJson, { entries }: Changelog): boolean {
  const updated = parseInstant(fields.updated);
  if (updated === null) return false;
  // Some databases keep no part of a second.
  const latest = updated % SECOND_MS === 0 ? updated + SECOND_MS - 1 : updated;
  return [...entries.values()].some(({ at }) => at !== null && at > latest);
}

function wholeIssue(issue: IssueJson, { changelog, lack }: Read): WholeIssue {
  return { issue, histories: oldestFirst(changelog), lack };
}
