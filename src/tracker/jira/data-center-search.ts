import { z } from 'zod';
import { badRequest } from '../../model/error.ts';
import { parseInstant } from '../jira-json/parse-instant.ts';
import { askByIds } from './ask-by-ids.ts';
import { askOneByOne } from './ask-one-by-one.ts';
import { begunAnew, nearEnough, type Place, placeText, readPlace, start } from './data-center-place.ts';
import { type JiraClient, JiraOverload, JiraRefusal } from './jira-client.ts';
import { type IssueJson, identified, listedIssues, nameless } from './listed-issues.ts';
import { createPageSize, type Portion } from './page-size.ts';
import {
  type Extent,
  fieldsOf,
  type JiraSearch,
  type JsonIssues,
  type JsonPage,
  type Query,
  wholeIssue,
} from './search.ts';

const WHOLE_PAGE = 200;
const SURVEY_PAGE = 1000;
const ID_PAGE = 100;

const page = z.object({ startAt: z.number(), total: z.number(), issues: listedIssues });

/** Finds issues in Jira Data Center, which counts pages from the first issue, so that they shift when issues come or go. */
export function createDataCenterSearch(client: JiraClient): JiraSearch {
  const portions = { whole: createPageSize(WHOLE_PAGE), survey: createPageSize(SURVEY_PAGE) };
  const idPortions = createPageSize(ID_PAGE);

  async function pageAt(
    place: Place,
    { query, extent, size, patience }: Portion & { readonly query: Query; readonly extent: Extent },
  ): Promise<JsonPage> {
    const body = {
      jql: await query.jqlFrom(place.from),
      startAt: place.startAt,
      // The first one of a later page is known already.
      maxResults: place.id === null ? size : Math.max(2, size),
      fields: [...fieldsOf(extent), query.by],
      ...(extent === 'whole' ? { expand: ['changelog'] } : {}),
    };
    const told = await client.ask({ method: 'POST', path: '/search', body, patience }, page);
    return place.id === null ? pageFrom(place, query, told) : pageBehind(place, query, told);
  }

  async function fetch(ids: readonly string[], patience: Portion['patience']): Promise<JsonIssues> {
    const body = {
      jql: `id in (${ids.join(', ')}) ORDER BY created ASC, key ASC`,
      maxResults: ids.length,
      fields: wholeIssue,
      expand: ['changelog'],
      validateQuery: false,
    };
    const listed: z.output<typeof listedIssues> = [];
    try {
      for (;;) {
        const asked = { ...body, startAt: listed.length };
        const told = await client.ask({ method: 'POST', path: '/search', body: asked, patience }, page);
        listed.push(...told.issues);
        if (told.issues.length === 0 || listed.length >= told.total) break;
      }
    } catch (error) {
      if (!(error instanceof JiraRefusal) || error.status !== 400) throw error;
      // Some versions refuse the whole question for one issue that is gone.
      return askOneByOne(client, ids);
    }
    const issues = identified(listed);
    if (nameless(listed).length === 0) return { issues, failed: [] };
    // Any that is not told may be the one that does not say which it is.
    const known = new Set(issues.map(({ id }) => id));
    const others = await askOneByOne(
      client,
      ids.filter((id) => !known.has(id)),
    );
    return { issues: [...issues, ...others.issues], failed: others.failed };
  }

  return {
    async page(query, text, extent) {
      const place = text === null ? start : readPlace(text);
      const anew = begunAnew(place);
      const [asked, most] =
        extent === 'whole' ? [portions.whole, WHOLE_PAGE] : [portions.survey, SURVEY_PAGE];
      return asked(most, async (portion) => {
        try {
          return await pageAt(place, { query, extent, ...portion });
        } catch (error) {
          if (anew === null || !(error instanceof JiraOverload)) throw error;
          // It may be no more than too far from the beginning.
          return pageAt(anew, { query, extent, ...portion });
        }
      });
    },
    async count(jql) {
      try {
        const body = { jql, maxResults: 0, fields: ['updated'] };
        return (await client.ask({ method: 'POST', path: '/search', body }, page)).total;
      } catch (error) {
        if (error instanceof JiraRefusal) return null;
        throw error;
      }
    },
    byIds: (ids) => askByIds(ids, idPortions, fetch),
  };
}

function pageFrom(
  { from }: Place,
  { by }: Query,
  { startAt, total, issues: listed }: z.output<typeof page>,
): JsonPage {
  const issues = identified(listed);
  const told = { issues, nameless: nameless(listed) };
  const end = startAt + listed.length;
  if (listed.length === 0 || end >= total) return { ...told, next: null };
  const last = issues.at(-1);
  if (last === undefined) return { ...told, next: placeText({ ...start, from, startAt: end }) };
  const lastAt = startAt + listed.lastIndexOf(last);
  const next = { from, startAt: lastAt, id: last.id, at: parseInstant(last.fields[by]) };
  return { ...told, next: placeText(nearEnough(next)) };
}

function pageBehind(place: Place, query: Query, told: z.output<typeof page>): JsonPage {
  const [first, ...others] = told.issues;
  if (first?.id !== place.id) {
    throw badRequest(
      `Jira's search has shifted: issue ${first?.id ?? '(none)'} stands where issue ${place.id} stood.`,
    );
  }
  const { issues, nameless: unnamed, next } = pageFrom(place, query, told);
  const news: readonly IssueJson[] = issues.slice(1);
  if (news.length > 0 || next === null) return { issues: news, nameless: unnamed, next };
  // A page of nothing but the issue it had to begin with leads nowhere, one of others goes on behind them.
  const end = told.startAt + told.issues.length;
  const behind = others.length === 0 ? null : placeText({ ...start, from: place.from, startAt: end });
  return { issues: news, nameless: unnamed, next: behind };
}
