import type { Instant } from '../../model/issue.ts';
import { mapAtMost } from '../../outgoing/map-at-most.ts';
import { changedSince } from './changed-since.ts';
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
import type { IssueJson, JiraSearch } from './search.ts';

/** Cloud cuts a changelog that comes with an issue at this many entries at the least, and its total may not say so. */
const SHORTEST_CUT = 40;
const AT_ONCE = 8;
const TRIES = 2;

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

interface Told {
  readonly issue: IssueJson;
  readonly read: Read;
}

/** Where issues came from. `askedAt`: when they were asked for, by Jira's clock. */
export interface WholeOf {
  readonly search: JiraSearch;
  readonly kind: JiraKind;
  readonly askedAt: Instant;
}

/** Completes the changelogs that came with issues. Issues that are gone meanwhile are left out. */
export function createWholeChangelogs(
  client: JiraClient,
): (issues: readonly IssueJson[], of: WholeOf) => Promise<WholeIssue[]> {
  const askBulk = createChangelogBulk(client);

  /** The issues as they are by now, with the changelogs they were told with, which may have gone on. */
  async function tellAgain(told: readonly Told[], { search, kind }: WholeOf): Promise<readonly Told[]> {
    const { issues, failed } = await search.byIds(told.map(({ issue }) => issue.id));
    const known = new Map(told.map((one) => [one.issue.id, one]));
    const again = await mapAtMost(AT_ONCE, issues, async (issue): Promise<Told | null> => {
      const changelog = wholeAlready(kind, issue) ?? known.get(issue.id)?.read.changelog ?? null;
      const read = await verify(client, issue, changelog);
      return read && { issue, read };
    });
    const asBefore = failed.flatMap(({ id }) => known.get(id) ?? []);
    return [...again.filter((one) => one !== null), ...asBefore];
  }

  return async (issues, of) => {
    const { kind, askedAt } = of;
    const cut = kind === 'cloud' ? issues.filter((issue) => wholeAlready(kind, issue) === null) : [];
    const bulk = await askBulk(cut.map(({ id }) => id));
    const read = await mapAtMost(AT_ONCE, issues, async (issue): Promise<Told | null> => {
      const told =
        wholeAlready(kind, issue) ?? (bulk === null ? null : (bulk.get(issue.id) ?? changelogOf([])));
      const read = await verify(client, issue, told);
      return read && { issue, read };
    });
    const told = read.filter((one) => one !== null);
    const late = told.filter(({ issue, read }) => changedSince(issue, read.changelog, askedAt));
    if (late.length === 0) return told.map(wholeIssue);
    const again = new Map((await tellAgain(late, of)).map((one) => [one.issue.id, one]));
    return told
      .flatMap((one) => (late.includes(one) ? (again.get(one.issue.id) ?? []) : one))
      .map(wholeIssue);
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

function wholeIssue({ issue, read: { changelog, lack } }: Told): WholeIssue {
  return { issue, histories: oldestFirst(changelog), lack };
}
