import { z } from 'zod';
import { secret, text } from '../../api/parameters/parameter.ts';
import { AppError } from '../../model/error.ts';
import { defineRoute } from '../define-route.ts';
import { describedPage, escapeMarkup, pageReply, problemMarkup } from '../page.ts';
import { queryStringOf, readPairs } from '../read-parameters.ts';
import { readRawBody } from '../receive.ts';
import { type AnyRoute, jsonType } from '../route.ts';

const title = 'Connect Jira';

/** The page to which Atlassian returns an admin who decided whether Dwell can read Jira in their name. */
export const jiraConsent = defineRoute({
  id: 'acceptJiraConsent',
  methods: ['get'],
  paths: ['/jira/consent'],
  guarded: false,
  section: 'Service',
  summary: 'The page Jira returns to after an admin authorized Dwell or declined',
  parameters: z.object({
    code: secret('The authorization code of Atlassian, for one use.'),
    state: secret('The state in the address that `npx dwell connect` prints.'),
    error: text.default('').describe('The error code of Atlassian when access was refused.'),
  }),
  answers: {
    description: 'A page that names the site Dwell can read now.',
    content: { 'text/html': z.string() },
    others: {
      403: describedPage(
        'Access was refused, or the link is not one that Dwell made: the page says how to start again.',
      ),
      404: describedPage('There is nothing to authorize: Jira is not read by OAuth 2.0.'),
      503: describedPage('Atlassian, or the store, cannot be reached at the moment: the page says so.'),
    },
  },
  async answer({ code, state, error }, _principal, { consent }) {
    if (consent === null) {
      const problem = 'There is nothing to authorize: JIRA_CLIENT_ID and JIRA_CLIENT_SECRET are not set.';
      return pageReply(404, title, `${problemMarkup(problem)}\n`);
    }
    try {
      const answer = { code: code || null, state: state || null, error: error || null };
      const { site } = await consent.accept(answer);
      return pageReply(
        200,
        title,
        `<p role="status">Dwell can now read <strong>${escapeMarkup(site)}</strong>.</p>
<p>You can close this page. Issues are read while Dwell runs; <code>/tis status</code> in Slack shows the progress.</p>`,
      );
    } catch (cause) {
      if (!(cause instanceof AppError)) throw cause;
      const problem = problemMarkup([cause.message, ...cause.details].join(' '));
      return pageReply(cause.code === 'unavailable' ? 503 : 403, title, `${problem}\n${again}`);
    }
  },
});

const again =
  '<p>Nothing has changed. To ask again, run <code>npx dwell connect</code> and open the address it prints.</p>';

/** An issue with all its fields can be large. */
const MAX_BYTES = 5_000_000;

/** Takes the events that the tracker sends. The signature is over the bytes, so they are read as they are. */
export const trackerEvents: AnyRoute = {
  id: 'receiveTrackerEvent',
  methods: ['post'],
  paths: ['/rest/webhooks/:tracker'],
  guarded: false,
  parameters: z.object({
    tracker: text.describe('The name of the tracker in use, as `TRACKER` has it.'),
  }),
  section: 'Service',
  summary: 'Receive a webhook of the tracker: the issues it names are read again soon',
  body: z.looseObject({}).meta({
    description: 'An event; only the ids of its issues are used, and the issues are read from the tracker.',
    examples: [{ webhookEvent: 'jira:issue_updated', issue: { id: '10001' } }],
  }),
  maxBytes: MAX_BYTES,
  answers: {
    description:
      "The event was taken. It needs the HMAC of the body in hex, made with the secret of the tracker's webhooks, in the header that the tracker uses: X-Hub-Signature after 'sha256=' (Jira) or Linear-Signature (Linear).",
    content: {},
    failures: [403, 404],
  },
  async serve(request, response, { events, admission }) {
    readPairs(queryStringOf(request.originalUrl), 'query string');
    const read = () => readRawBody(request, response, jsonType, MAX_BYTES);
    const body = await admission.reading(response, read);
    await events.receive(String(request.params.tracker), body, (name) => request.get(name));
    return { body: undefined };
  },
};
