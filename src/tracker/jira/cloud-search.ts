import { z } from 'zod';
import { badRequest } from '../../model/error.ts';
import { idText } from '../jira-json/jira-schema.ts';
import { askByIds } from './ask-by-ids.ts';
import { askOneByOne } from './ask-one-by-one.ts';
import { type JiraClient, JiraRefusal } from './jira-client.ts';
import { identified, listedIssues, nameless } from './listed-issues.ts';
import { createPageSize, type Portion } from './page-size.ts';
import { fieldsOf, type JiraSearch, type JsonIssues, wholeIssue } from './search.ts';
import { nextPlace, tokenOf } from './token-trail.ts';

/** How many fit on a page depends on the fields asked for; 5,000 do only without any. */
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
  const portions = { whole: createPageSize(WHOLE_PAGE), survey: createPageSize(SURVEY_PAGE) };
  const idPortions = createPageSize(WHOLE_PAGE);

  async function fetch(ids: readonly string[], patience: Portion['patience']): Promise<JsonIssues> {
    const body = { issueIdsOrKeys: ids, fields: wholeIssue, expand: ['changelog'] };
    const { issues: listed, issueErrors } = await client.ask(
      { method: 'POST', path: '/issue/bulkfetch', body, patience },
      someIssues,
    );
    // Jira has failed to tell them, which says nothing about whether they are there.
    const issues = identified(listed);
    const told = new Set(issues.map(({ id }) => id));
    // Any that is not told may be the one that does not say which it is.
    const doubtful = nameless(listed).length > 0 ? ids : (issueErrors ?? []).map(({ id }) => id);
    const left = new Set(doubtful.filter((id) => ids.includes(id) && !told.has(id)));
    const others = await askOneByOne(client, [...left]);
    return { issues: [...issues, ...others.issues], failed: others.failed };
  }

  return {
    async page(query, place, extent) {
      const whole = extent === 'whole';
      const [asked, most] = whole ? [portions.whole, WHOLE_PAGE] : [portions.survey, SURVEY_PAGE];
      const body = {
        jql: await query.jqlFrom(null),
        fields: fieldsOf(extent),
        ...(whole ? { expand: 'changelog' } : {}),
        ...(place === null ? {} : { nextPageToken: tokenOf(place) }),
      };
      const { issues, nextPageToken, isLast } = await asked(most, ({ size, patience }) =>
        client.ask({ method: 'POST', path: SEARCH, body: { ...body, maxResults: size }, patience }, page),
      ).catch((error: unknown) => {
        if (place === null || !(error instanceof JiraRefusal) || error.status !== 400) throw error;
        throw badRequest(`Jira does not go on with a search any more: ${error.message}`);
      });
      const next = isLast || !nextPageToken ? null : nextPlace(nextPageToken, place, SEARCH);
      return { issues: identified(issues), nameless: nameless(issues), next };
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
    byIds: (ids) => askByIds(ids, idPortions, fetch),
  };
}
