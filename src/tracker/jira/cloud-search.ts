import { z } from 'zod';
import { AppError, badRequest } from '../../model/error.ts';
import { type JiraClient, JiraRefusal } from './jira-client.ts';
import { fieldsOf, issueJson, type JiraSearch, wholeIssue } from './search.ts';

/** How many fit on a page depends on the fields asked for; 5,000 do only without any. */
const WHOLE_PAGE = 100;
const SURVEY_PAGE = 5000;

const page = z.object({
  issues: z.array(issueJson),
  nextPageToken: z.string().nullish(),
  isLast: z.boolean().nullish(),
});
const someIssues = z.object({ issues: z.array(issueJson) });
const counted = z.object({ count: z.number() });

/** Finds issues in Jira Cloud, whose pages lead from one to the next by tokens that are good for some days. */
export function createCloudSearch(client: JiraClient): JiraSearch {
  return {
    async page(jql, place, extent) {
      const whole = extent === 'whole';
      const body = {
        jql,
        maxResults: whole ? WHOLE_PAGE : SURVEY_PAGE,
        fields: fieldsOf(extent),
        ...(whole ? { expand: 'changelog' } : {}),
        ...(place === null ? {} : { nextPageToken: place }),
      };
      const { issues, nextPageToken, isLast } = await client
        .ask({ method: 'POST', path: '/search/jql', body }, page)
        .catch((error: unknown) => {
          if (place === null || !(error instanceof JiraRefusal) || error.status !== 400) throw error;
          throw badRequest(`Jira does not go on with a search any more: ${error.message}`, ...error.messages);
        });
      const next = isLast || !nextPageToken ? null : nextPageToken;
      if (next !== null && next === place) {
        throw new AppError('unavailable', "Jira's '/search/jql' leads from a page to the same page again.");
      }
      return { issues, next };
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
    async byIds(ids) {
      const body = { issueIdsOrKeys: ids, fields: wholeIssue, expand: ['changelog'] };
      return (await client.ask({ method: 'POST', path: '/issue/bulkfetch', body }, someIssues)).issues;
    },
  };
}
