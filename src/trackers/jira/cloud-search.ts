import { millisecondsInMinute } from 'date-fns/constants';
import { z } from 'zod';
import { readJson } from '../../http-client/read-answer.ts';
import { AppError, badRequest } from '../../model/error.ts';
import type { Instant } from '../../model/issue.ts';
import { parseInstant } from '../jira-json/parse-instant.ts';
import { idText } from '../jira-json/read-references.ts';
import type { SearchPlace } from '../live-tracker.ts';
import { askByIds, askOneByOne, createPageSize, type Portion } from './issues-by-id.ts';
import type { JiraClient } from './jira-client.ts';
import { JiraOverload, JiraRefusal } from './jira-failures.ts';
import {
  bareIssue,
  type Extent,
  fieldsOf,
  type IssueQuery,
  type JiraSearch,
  type JsonIssues,
  type JsonPage,
  searchStuckAt,
  unshownIssue,
} from './jira-search.ts';
import { type IssueJson, identified, listedIssues, nameless } from './listed-issues.ts';

/** The page size depends on the requested fields; 5,000 fit only without any. */
const WHOLE_PAGE = 100;
const SURVEY_PAGE = 5000;
const SEARCH = '/search/jql';

const page = z.object({
  issues: listedIssues,
  nextPageToken: z.string().nullish(),
  isLast: z.boolean().nullish(),
});
const someIssues = z.object({
  issues: listedIssues,
  issueErrors: z.array(z.object({ id: idText })).nullish(),
});
const counted = z.object({ count: z.number() });

/** Finds issues in Jira Cloud, whose pages lead from one to the next by tokens that are good for some days. */
export function createCloudSearch(client: JiraClient): JiraSearch {
  const portions = {
    whole: createPageSize(WHOLE_PAGE),
    survey: createPageSize(SURVEY_PAGE),
    bare: createPageSize(WHOLE_PAGE),
  };
  const idPortions = createPageSize(WHOLE_PAGE);

  async function fetch(ids: readonly string[], extent: Extent, tries: Portion['tries']): Promise<JsonIssues> {
    const body = {
      issueIdsOrKeys: ids,
      fields: fieldsOf(extent),
      ...(extent === 'whole' ? { expand: ['changelog'] } : {}),
    };
    const { issues: listed, issueErrors } = await client.ask(
      { method: 'POST', path: '/issue/bulkfetch', body, tries },
      someIssues,
    );
    // Jira failed to send them, which does not say whether they exist.
    const issues = identified(listed);
    const found = new Set(issues.map(({ id }) => id));
    // Any missing one may be the one without an identity.
    const doubtful = nameless(listed).length > 0 ? ids : (issueErrors ?? []).map(({ id }) => id);
    const left = new Set(doubtful.filter((id) => ids.includes(id) && !found.has(id)));
    const others = await askOneByOne(client, [...left]);
    return { issues: [...issues, ...others.issues], failed: others.failed };
  }

  const byIds = (ids: readonly string[], extent: Extent = 'whole') =>
    askByIds(ids, {
      portions: idPortions,
      ask: (some, tries) => fetch(some, extent, tries),
      askBare: (some) => fetch(some, 'keys', undefined),
    });

  /** A page of a search from a place on. */
  async function askPage(
    place: CloudPlace,
    { query, extent, size, tries }: Portion & { readonly query: IssueQuery; readonly extent: Extent },
  ) {
    const body = {
      jql: await query.jqlFrom(place.from),
      fields: extent === 'keys' ? bareIssue : [...new Set([...fieldsOf(extent), query.by])],
      ...(extent === 'whole' ? { expand: 'changelog' } : {}),
      ...(place.trail === null ? {} : { nextPageToken: tokenOf(place.trail) }),
      maxResults: size,
    };
    try {
      const answer = await client.ask({ method: 'POST', path: SEARCH, body, tries }, page);
      const token = answer.isLast ? null : answer.nextPageToken || null;
      const trail = token === null ? null : nextPlace(token, place.trail, SEARCH);
      return { issues: identified(answer.issues), nameless: nameless(answer.issues), trail };
    } catch (error) {
      if (place.trail === null || !(error instanceof JiraRefusal) || error.status !== 400) throw error;
      throw badRequest(`Jira does not go on with a search any more: ${error.message}`);
    }
  }

  async function fullPage(query: IssueQuery, place: CloudPlace, extent: Extent): Promise<JsonPage> {
    const [loadPortion, most] =
      extent === 'whole' ? [portions.whole, WHOLE_PAGE] : [portions.survey, SURVEY_PAGE];
    // A single failing issue can be skipped, where more than keys is requested.
    const triesOf = (portion: Portion) => (extent === 'keys' ? portion.tries : 'few');
    const page = await loadPortion(most, (portion) =>
      askPage(place, { query, extent, size: portion.size, tries: triesOf(portion) }),
    );
    const { issues } = afterLast(page.issues, place);
    const last = lastOf(issues, query) ?? place.last;
    const next = page.trail === null ? null : placeText({ ...place, last, trail: page.trail });
    return { issues, nameless: page.nameless, failed: [], next };
  }

  /** The same by ids and keys, each issue asked for by its id, so that one that fails is known and passed by. */
  async function barePage(
    query: IssueQuery,
    place: CloudPlace,
    { extent, failure }: { readonly extent: Extent; readonly failure: JiraOverload | null },
  ): Promise<JsonPage> {
    const listedPage = await portions
      .bare(WHOLE_PAGE, (portion) => askPage(place, { query, extent: 'keys', ...portion }))
      .catch((error: unknown) => {
        throw error instanceof JiraOverload ? searchStuckAt(error, place.last?.id ?? null) : error;
      });
    const { issues: found, isSure } = afterLast(listedPage.issues, place);
    // The one right behind the last is what has just failed by itself.
    const known = failure !== null && isSure ? found.slice(0, 1) : [];
    const others = found.slice(known.length).map(({ id }) => id);
    const byId = others.length === 0 ? { issues: [], failed: [] } : await byIds(others, extent);
    const shown = new Map(byId.issues.map((issue) => [issue.id, issue]));
    const issues = others.flatMap((id) => shown.get(id) ?? []);
    const failed = [
      ...known.map((one) => unshownIssue(one, failure?.message ?? '')),
      ...byId.failed.flatMap(({ id, reason }) =>
        found.filter((one) => one.id === id).map((one) => unshownIssue(one, reason)),
      ),
    ];
    const left = new Set(failed.map(({ id }) => id));
    const firstBehind = found.slice(found.findLastIndex(({ id }) => left.has(id)) + 1)[0];
    const first = firstBehind === undefined ? undefined : shown.get(firstBehind.id);
    const here = { ...place, last: lastOf(issues, query) ?? place.last, trail: listedPage.trail };
    const whole = begunWhole(here, first === undefined ? null : parseInstant(first.fields[query.by]));
    const next = listedPage.trail === null ? null : placeText(whole ?? here);
    return { issues, nameless: listedPage.nameless, failed, next };
  }

  return {
    async page(query, text, extent) {
      const place = text === null ? start : readPlace(text);
      if (place.bare) return barePage(query, place, { extent, failure: null });
      try {
        return await fullPage(query, place, extent);
      } catch (error) {
        const bare = error instanceof JiraOverload && extent !== 'keys' ? begunBare(place) : null;
        if (bare === null || !(error instanceof JiraOverload)) throw error;
        return barePage(query, bare, { extent, failure: error });
      }
    },
    async count(jql) {
      try {
        const question = { method: 'POST', path: '/search/approximate-count', body: { jql } } as const;
        return (await client.ask(question, counted)).count;
      } catch (error) {
        if (error instanceof JiraRefusal) return null;
        throw error;
      }
    },
    byIds: (ids) => byIds(ids),
  };
}

/** The issues after the last one of the page before, where the search has begun again and repeats it. */
function afterLast(
  issues: readonly IssueJson[],
  { last, trail }: CloudPlace,
): { readonly issues: readonly IssueJson[]; readonly isSure: boolean } {
  if (trail !== null || last === null) return { issues, isSure: true };
  const known = issues.findIndex(({ id }) => id === last.id);
  return { issues: issues.slice(known + 1), isSure: known >= 0 };
}

function lastOf(issues: readonly IssueJson[], { by }: IssueQuery): CloudPlace['last'] {
  const last = issues.at(-1);
  return last === undefined ? null : { id: last.id, at: parseInstant(last.fields[by]) };
}

const place = z.object({
  from: z.number().nullable(),
  last: z.object({ id: z.string(), at: z.number().nullable() }).nullable(),
  bare: z.boolean(),
  trail: z.string().nullable(),
});

/** The place in a search of Cloud. A token is valid for the very same request only, fields included. */
interface CloudPlace {
  /** The minute of the first issue, where the search has begun again on its way; null: it has not. */
  readonly from: Instant | null;
  /** The last issue so far, and the instant by which the search orders it, as far as it is known. */
  readonly last: { readonly id: string; readonly at: Instant | null } | null;
  /** Only ids and keys are searched, because there is an issue ahead of which Jira fails to show more. */
  readonly bare: boolean;
  /** The tokens that lead on; null where the search begins. */
  readonly trail: SearchPlace | null;
}

/** The start of a search. */
const start: CloudPlace = { from: null, last: null, bare: false, trail: null };

/** The search of ids and keys alone, from the minute of the last issue on; null where that minute is not known. */
function begunBare({ from, last, trail }: CloudPlace): CloudPlace | null {
  if (trail === null) return { from, last, bare: true, trail };
  return last === null || last.at === null
    ? null
    : { from: minuteOf(last.at), last, bare: true, trail: null };
}

/**
 * The search of everything again, from the minute of the last issue on; null while that minute may still hold what
 * could not be shown, the `first` issue after it being of the same minute, or would lead back.
 */
function begunWhole({ from, last }: CloudPlace, first: Instant | null): CloudPlace | null {
  if (last === null || last.at === null || first === null) return null;
  const minute = minuteOf(last.at);
  const beyond = Math.max(from ?? Number.NEGATIVE_INFINITY, minuteOf(first));
  return minute > beyond ? { from: minute, last, bare: false, trail: null } : null;
}

/** A place as an opaque text. */
function placeText(one: CloudPlace): SearchPlace {
  return JSON.stringify(one);
}

/** The place again; a text that is none is `bad-request`. */
function readPlace(text: SearchPlace): CloudPlace {
  const read = place.safeParse(readJson(text));
  if (!read.success) throw badRequest(`'${text}' is not a position of a search.`);
  return read.data;
}

function minuteOf(at: Instant): Instant {
  return Math.floor(at / millisecondsInMinute) * millisecondsInMinute;
}

const trail = z.tuple([z.string(), z.string(), z.number(), z.number()]);

/**
 * The token of the next page, an earlier one to compare with, how many pages ago that was, and after how many it is
 * exchanged for a later one: circles of tokens are noticed however long they are, and only two tokens are kept.
 */
type Trail = Readonly<z.output<typeof trail>>;

/** The place behind a token. Tokens that lead in a circle are `unavailable`; `asked` is the path that returned them. */
export function nextPlace(token: string, place: SearchPlace | null, path: string): SearchPlace {
  return JSON.stringify(place === null ? [token, token, 0, 1] : goOn(token, readTrail(place), path));
}

/** The token of a place; one that is none of ours is `bad-request`. */
export function tokenOf(place: SearchPlace): string {
  const [token] = readTrail(place);
  return token;
}

function goOn(token: string, [, compared, steps, most]: Trail, path: string): Trail {
  if (token === compared) {
    throw new AppError('tracker-unavailable', `Jira's '${path}' leads from page to page in a circle.`);
  }
  return steps + 1 === most ? [token, token, 0, most * 2] : [token, compared, steps + 1, most];
}

function readTrail(place: SearchPlace): Trail {
  const read = trail.safeParse(readJson(place));
  if (!read.success) throw badRequest(`'${place}' is not a position of a search.`);
  return read.data;
}
