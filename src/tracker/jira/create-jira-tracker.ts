import type { Instant } from '../../model/issue.ts';
import type { LiveTracker } from '../live-tracker.ts';
import { askAccountZone } from './account-zone.ts';
import { createCloudSearch } from './cloud-search.ts';
import { cloudSight } from './cloud-sight.ts';
import { createDataCenterSearch } from './data-center-search.ts';
import { dataCenterSight } from './data-center-sight.ts';
import type { JiraClient } from './jira-client.ts';
import { keepWished } from './keep-wished.ts';
import { tellLists } from './lists.ts';
import { askProjects } from './projects.ts';
import { rememberFor } from './remember-for.ts';
import { foundIssue, foundWhole, tellIssue } from './tell-issue.ts';
import { createWholeChangelogs } from './whole-changelogs.ts';
import { windowJql, wishedJql } from './window-jql.ts';

const MINUTE_MS = 60_000;
/** New projects stay closed to everybody for so long. */
const PROJECTS_MS = 5 * MINUTE_MS;
/** Shorter than searches overlap, so that nothing is missed when somebody changes the zone of our account. */
const ZONE_MS = MINUTE_MS;
/** Where people browse a site changes hardly ever. */
const SITE_MS = 60 * MINUTE_MS;

/** Jira as a tracker. `jql`: which issues; null: all that our account may see. */
export function createJiraTracker(
  client: JiraClient,
  { jql, now }: { readonly jql: string | null; readonly now: () => Instant },
): LiveTracker {
  const searches = { cloud: createCloudSearch(client), dataCenter: createDataCenterSearch(client) };
  const complete = createWholeChangelogs(client);
  const projects = rememberFor(PROJECTS_MS, now, () => askProjects(client));
  const zone = rememberFor(ZONE_MS, now, () => askAccountZone(client));
  const siteUrl = rememberFor(SITE_MS, now, async () => (await client.site()).url);
  const search = async () => searches[await client.kind()];
  return {
    name: 'jira',
    site: () => client.site(),
    count: async () => (await search()).count(wishedJql(jql)),
    async *lists() {
      yield* tellLists({ client, projects, site: await siteUrl() });
    },
    async load(window, place) {
      const [kind, here, site, timeZone] = await Promise.all([
        client.kind(),
        search(),
        siteUrl(),
        window.from === null ? null : zone(),
      ]);
      const page = await here.page(windowJql(window, jql, timeZone), place, 'whole');
      const whole = await complete(here, kind, page.issues);
      return {
        entries: whole.flatMap((one) => tellIssue(one, site)),
        found: whole.map(({ issue }) => foundWhole(issue)),
        next: page.next,
      };
    },
    async survey(window, place, tells) {
      const timeZone = window.from === null ? null : await zone();
      const page = await (await search()).page(windowJql(window, jql, timeZone), place, tells);
      const found = page.issues.map(foundIssue);
      return {
        found: tells === 'updated' ? found : found.map((one) => ({ ...one, updated: null })),
        next: page.next,
      };
    },
    async loadIds(ids) {
      if (ids.length === 0) return { entries: [], found: [], missing: [] };
      const [kind, here, site] = await Promise.all([client.kind(), search(), siteUrl()]);
      const there = await keepWished(here, await here.byIds(ids), jql);
      const whole = await complete(here, kind, there);
      const told = new Set(whole.map(({ issue }) => issue.id));
      return {
        entries: whole.flatMap((one) => tellIssue(one, site)),
        found: whole.map(({ issue }) => foundIssue(issue)),
        missing: ids.filter((id) => !told.has(id)),
      };
    },
    async sightOf(user, about) {
      if ((await client.kind()) === 'dataCenter') return dataCenterSight(client, user, about);
      return cloudSight(client, user, about, await projects());
    },
    requests: () => client.requests(),
    close: () => client.close(),
  };
}
