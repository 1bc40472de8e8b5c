import { millisecondsInMinute } from 'date-fns/constants';
import { z } from 'zod';
import { createNamespace } from '../../cache/namespace.ts';
import { AppError } from '../../model/error.ts';
import type { Instant } from '../../model/issue.ts';
import { knownZone } from '../../time/zones.ts';
import { jiraStanding } from '../jira-json/jira-schema.ts';
import { parseInstant } from '../jira-json/parse-instant.ts';
import { readIssue } from '../jira-json/read-issue.ts';
import { readPerson, readStatus } from '../jira-json/read-references.ts';
import { nulProblem } from '../jira-json/unusable-reason.ts';
import {
  emptyPage,
  type FoundIssue,
  type IssuePage,
  type LiveTracker,
  type SearchWindow,
} from '../live-tracker.ts';
import type { TrackerEntry } from '../tracker.ts';
import type { OpenedTracker, TrackerSurroundings } from '../tracker-kind.ts';
import { askProjects } from './ask-pages.ts';
import { rememberBrowseHolders } from './browse-holders.ts';
import { checkConnection } from './check-connection.ts';
import { cloudAdministers, cloudPermissions } from './cloud-permissions.ts';
import { createCloudSearch } from './cloud-search.ts';
import { createJiraClient } from './create-jira-client.ts';
import { dataCenterAdministers, dataCenterPermissions } from './data-center-permissions.ts';
import { createDataCenterSearch } from './data-center-search.ts';
import type { JiraClient, JiraSettings } from './jira-client.ts';
import { readLists } from './jira-lists.ts';
import {
  blameConfiguredJql,
  configuredJql,
  findConfigured,
  type IssueQuery,
  onlyConfigured,
  windowJql,
} from './jira-search.ts';
import type { IssueJson, NamelessJson } from './listed-issues.ts';
import { grantsOf, readProjectAccess } from './open-projects.ts';
import { createWholeChangelogs, type WholeIssue } from './whole-changelogs.ts';

/** The time for which new projects stay closed to everyone. */
const PROJECTS_MS = 5 * millisecondsInMinute;
/** Shorter than the overlap of searches, so that nothing is missed when the zone of our account changes. */
const ZONE_MS = millisecondsInMinute;
/** The address of a site hardly ever changes. */
const SITE_MS = 60 * millisecondsInMinute;

/** Jira as a tracker. `jql`: which issues; null: all that our account may see. */
export function createJiraTracker(
  client: JiraClient,
  { jql, now }: { readonly jql: string | null; readonly now: () => Instant },
): LiveTracker {
  const searches = { cloud: createCloudSearch(client), dataCenter: createDataCenterSearch(client) };
  const complete = createWholeChangelogs(client);
  /** An answer of Jira that is remembered for this long (ms) within the process. */
  const lately = <Answer>(name: string, ttlMs: number, ask: () => Promise<Answer>) => {
    const known = createNamespace<Answer>({ name: `jira-${name}`, ttlMs, maxEntries: 1, now });
    return () => known.getOrMake('', ask);
  };
  const projects = lately('projects', PROJECTS_MS, () => askProjects(client));
  const zone = lately('account-zone', ZONE_MS, () => askAccountZone(client));
  const holdersOf = rememberBrowseHolders(now);
  const knownSite = lately('site', SITE_MS, () => client.site());
  const search = async () => searches[await client.kind()];

  function queryOf(window: SearchWindow): IssueQuery {
    return {
      by: window.by,
      async jqlFrom(instant) {
        const from = instant ?? window.from;
        return windowJql({ ...window, from }, jql, from === null ? null : await zone());
      },
    };
  }

  const count = async () => (await search()).count(configuredJql(jql));

  /** The site, with its clock uncorrected. */
  async function who() {
    const [kind, here, { url, clockAheadMs }] = await Promise.all([client.kind(), search(), knownSite()]);
    return { site: url, of: { kind, search: here, askedAt: now() + clockAheadMs } };
  }

  async function load(window: SearchWindow, place: string | null): Promise<IssuePage> {
    const { site, of } = await who();
    const page = await blameConfiguredJql(jql, () => of.search.page(queryOf(window), place, 'whole'));
    const whole = await complete(page.issues, of);
    return {
      ...emptyPage,
      entries: [
        ...whole.flatMap((one) => issueEntries(one, site)),
        ...page.nameless.map((one) => unusableEntry(one, site)),
      ],
      found: whole.map(({ issue }) => foundWhole(issue)),
      failed: page.failed,
      next: page.next,
    };
  }

  async function loadIds(ids: readonly string[]): Promise<IssuePage> {
    if (ids.length === 0) return emptyPage;
    const { site, of } = await who();
    const { issues, failed } = await of.search.byIds(ids);
    const whole = await complete(await onlyConfigured(of.search, issues, jql), of);
    const known = new Set([...whole.map(({ issue }) => issue.id), ...failed.map(({ id }) => id)]);
    return {
      ...emptyPage,
      entries: whole.flatMap((one) => issueEntries(one, site)),
      found: whole.map(({ issue }) => foundIssue(issue)),
      missing: ids.filter((id) => !known.has(id)),
      failed,
    };
  }

  return {
    title: 'Jira',
    connection: {
      async site() {
        const site = await client.site();
        // An account without rights gets nothing, which would look like the whole truth.
        await zone();
        return site;
      },
      checkConnection: (input) => checkConnection({ client, projects, count, jql }, input),
      count,
      requests: () => client.requests(),
      close: () => client.close(),
    },
    async *lists(from) {
      yield* readLists({ client, projects, site: (await knownSite()).url }, from);
    },
    async issues(wanted) {
      if ('ids' in wanted) {
        const { ids, detail } = wanted;
        if (detail === 'whole') return loadIds(ids);
        const found = await findConfigured(await search(), ids, jql);
        return { ...emptyPage, missing: ids.filter((id) => !found.has(id)) };
      }
      const { window, place, detail } = wanted;
      if (detail === 'whole') return load(window, place);
      const here = await search();
      const page = await blameConfiguredJql(jql, () => here.page(queryOf(window), place, detail));
      return {
        ...emptyPage,
        found: page.issues.map((one) =>
          detail === 'updated' ? surveyedIssue(one) : { ...foundIssue(one), updated: null },
        ),
        failed: page.failed,
        next: page.next,
      };
    },
    async permissions(user, groups, about) {
      const counting = countAsked(client);
      const grants = grantsOf(counting.client, user, groups);
      const parts = { client: counting.client, holdersOf, grants };
      const found =
        (await client.kind()) === 'dataCenter'
          ? await dataCenterPermissions(user, about, parts)
          : await cloudPermissions(user, about, projects, parts);
      return { ...found, requests: counting.asked() };
    },
    async projectAccess(keys) {
      const isCloud = (await client.kind()) === 'cloud';
      return readProjectAccess(client, keys, isCloud ? await projects() : null);
    },
    async administers(user, key) {
      if ((await client.kind()) === 'dataCenter') return dataCenterAdministers(client, user, key);
      const id = (await projects()).get(key);
      return id !== undefined && cloudAdministers(client, user, { key, id });
    },
  };
}

const myself = z.object({
  accountId: z.string().nullish(),
  key: z.string().nullish(),
  name: z.string().nullish(),
  timeZone: z.string().nullish(),
});

/**
 * The zone (IANA) in which Jira reads the dates of our queries; null where it is unknown. `not-allowed` where Jira does
 * not name our account: an expired token may be answered as an anonymous request, and then there are no issues.
 */
async function askAccountZone(client: JiraClient): Promise<string | null> {
  const { accountId, key, name, timeZone } = await client.ask({ method: 'GET', path: '/myself' }, myself);
  if (!accountId && !key && !name) {
    throw new AppError(
      'credentials-refused',
      'Jira treats our requests as anonymous (GET /myself names no user). Is the token of the account still valid?',
    );
  }
  return knownZone(timeZone);
}

/** A client that counts the requests through it. */
function countAsked(client: JiraClient): {
  readonly client: JiraClient;
  readonly asked: () => number;
} {
  let sent = 0;
  const counting: JiraClient = {
    kind: () => client.kind(),
    site: () => client.site(),
    ask(question, shape) {
      sent += 1;
      return client.ask(question, shape);
    },
    requests: () => client.requests(),
    close: () => client.close(),
  };
  return { client: counting, asked: () => sent };
}

/** The addresses of Atlassian's own services, without a slash at the end. */
const atlassian = { auth: 'https://auth.atlassian.com', api: 'https://api.atlassian.com' };

/** Opens Jira with its webhooks, and with the consent of an admin where an app reads it. */
export function openJira(access: JiraSettings, surroundings: TrackerSurroundings): OpenedTracker {
  const { client, consent } = createJiraClient(access, { ...surroundings, atlassian });
  return {
    ...createJiraTracker(client, { jql: access.jql, now: surroundings.now }),
    consent,
    webhooks: {
      setting: 'JIRA_WEBHOOK_SECRET',
      secret: access.webhookSecret,
      // As WebSub names it (W3C WebSub, 7.1).
      header: 'X-Hub-Signature',
      prefix: 'sha256=',
      readIds: readEvent,
    },
  };
}

/** An issue after what it mentions, or that it cannot be used. `site`: where people browse it. */
function issueEntries({ issue: json, histories, lack }: WholeIssue, site: string): TrackerEntry[] {
  if (json.unlike !== null) return [unusableEntry(json, site)];
  const changelog = { startAt: 0, total: histories.length, histories };
  const raw = { ...json, changelog };
  const read = readIssue(raw, { lack });
  if ('reason' in read) return [rejectedEntry(json, site, read.reason)];
  const why = nulProblem({ ...read, id: json.id }, raw);
  if (why !== null) return [rejectedEntry(json, site, why)];
  const { statuses, users, mentioned } = read;
  // The site is where people browse; an app sends its requests to another host.
  const issue = { ...read.issue, id: json.id, link: `${site}/browse/${read.issue.key}` };
  return [
    { kind: 'statuses', statuses, list: null },
    { kind: 'users', users },
    ...(mentioned === null ? [] : [{ kind: 'directory', part: mentioned } as const]),
    { kind: 'issue', issue },
  ];
}

/** An entry of Jira that is no issue. */
function unusableEntry(json: IssueJson | NamelessJson, site: string): TrackerEntry {
  return rejectedEntry(json, site, json.unlike ?? 'it is not an issue');
}

function rejectedEntry({ key }: IssueJson | NamelessJson, site: string, reason: string): TrackerEntry {
  return { kind: 'rejected', source: site, key: key?.toUpperCase() ?? null, reason };
}

/** The identity of a found issue. One without an instant is taken for the oldest: it cannot be used, yet it exists. */
function foundIssue({ id, key, fields }: IssueJson): FoundIssue {
  return { id, key: key.toUpperCase(), updated: parseInstant(fields.updated) ?? 0 };
}

/** The same of an issue of a survey, with where it stands. */
function surveyedIssue(json: IssueJson): FoundIssue {
  const { status, assignee } = jiraStanding.parse(json.fields);
  return {
    ...foundIssue(json),
    ...(status === undefined ? {} : { status: readStatus(status).id }),
    ...(assignee === undefined ? {} : { assignee: readPerson(assignee)?.id ?? null }),
  };
}

/** The same for an issue with all its fields. */
function foundWhole(json: IssueJson): FoundIssue {
  return { ...surveyedIssue(json), created: parseInstant(json.fields.created) ?? 0 };
}

/** Ids are asked for in JQL, so nothing else may pass for one. */
const issueId = z.union([z.string().regex(/^\d+$/), z.int().nonnegative()]).transform(String);

const event = z.object({ webhookEvent: z.string() });
const aboutIssue = z.object({ issue: z.object({ id: issueId }) }).transform(({ issue }) => [issue.id]);
const aboutWork = z
  .object({ worklog: z.object({ issueId: issueId }) })
  .transform(({ worklog }) => [worklog.issueId]);
const aboutLink = z
  .object({ issueLink: z.object({ sourceIssueId: issueId, destinationIssueId: issueId }) })
  .transform(({ issueLink }) => [issueLink.sourceIssueId, issueLink.destinationIssueId]);

/** The issue ids of events, by the beginnings of their names. */
const kinds: readonly (readonly [RegExp, z.ZodType<string[]>])[] = [
  [/^jira:issue_/, aboutIssue],
  [/^comment_/, aboutIssue],
  [/^worklog_/, z.union([aboutWork, aboutIssue])],
  [/^issuelink_/, aboutLink],
];

/** The ids of the issues that an event of Jira is about; none when it is about something else, null when it is no event. */
export function readEvent(body: unknown): readonly string[] | null {
  const parsed = event.safeParse(body);
  if (!parsed.success) return null;
  const { webhookEvent } = parsed.data;
  const kind = kinds.find(([name]) => name.test(webhookEvent));
  if (kind === undefined) return [];
  const [, shape] = kind;
  // Some versions send events of comments and work without their issue.
  return shape.safeParse(body).data ?? (webhookEvent.startsWith('jira:') ? null : []);
}
