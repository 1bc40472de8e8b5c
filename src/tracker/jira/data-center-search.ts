import { z } from 'zod';
import { badRequest } from '../../model/error.ts';
import { askIssue } from './ask-issue.ts';
import { type JiraClient, JiraRefusal } from './jira-client.ts';
import { mapAtMost } from './map-at-most.ts';
import { fieldsOf, type IssueJson, issueJson, type JiraSearch, type JsonPage, wholeIssue } from './search.ts';

const WHOLE_PAGE = 200;
const SURVEY_PAGE = 1000;
const AT_ONCE = 8;

const page = z.object({ startAt: z.number(), total: z.number(), issues: z.array(issueJson) });

/** Where the last issue of a page stands, and which one it is: the next page begins with it. */
interface Place {
  readonly startAt: number;
  readonly id: string;
}

/** Finds issues in Jira Data Center, which counts pages from the first issue, so that they shift when issues come or go. */
export function createDataCenterSearch(client: JiraClient): JiraSearch {
  return {
    async page(jql, place, extent) {
      const from = place === null ? null : readPlace(place);
      const whole = extent === 'whole';
      const body = {
        jql,
        startAt: from?.startAt ?? 0,
        maxResults: whole ? WHOLE_PAGE : SURVEY_PAGE,
        fields: fieldsOf(extent),
        ...(whole ? { expand: ['changelog'] } : {}),
      };
      const told = await client.ask({ method: 'POST', path: '/search', body }, page);
      return from === null ? pageFrom(told) : pageBehind(from, told);
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
    async byIds(ids) {
      const body = {
        jql: `id in (${ids.join(', ')})`,
        maxResults: ids.length,
        fields: wholeIssue,
        expand: ['changelog'],
        validateQuery: false,
      };
      try {
        return (await client.ask({ method: 'POST', path: '/search', body }, page)).issues;
      } catch (error) {
        if (!(error instanceof JiraRefusal) || error.status !== 400) throw error;
        // Some versions refuse the whole question for one issue that is gone.
        const issues = await mapAtMost(AT_ONCE, ids, (id) => askIssue(client, id));
        return issues.filter((issue) => issue !== null);
      }
    },
  };
}

function pageFrom({ startAt, total, issues }: z.output<typeof page>): JsonPage {
  const last = issues.at(-1);
  const end = startAt + issues.length;
  return { issues, next: last === undefined || end >= total ? null : `${end - 1} ${last.id}` };
}

function pageBehind(from: Place, told: z.output<typeof page>): JsonPage {
  const [first, ...issues]: (IssueJson | undefined)[] = [...told.issues];
  if (first?.id !== from.id) {
    throw badRequest(
      `Jira's search has shifted: issue ${first?.id ?? '(none)'} stands where issue ${from.id} stood.`,
    );
  }
  const { next } = pageFrom(told);
  // A page of nothing but the issue it had to begin with leads nowhere.
  return { issues: issues.filter((one) => one !== undefined), next: issues.length === 0 ? null : next };
}

function readPlace(place: string): Place {
  const [, startAt, id] = /^(\d+) (\d+)$/.exec(place) ?? [];
  if (startAt === undefined || id === undefined) throw badRequest(`'${place}' is no place of a search.`);
  return { startAt: Number(startAt), id };
}
