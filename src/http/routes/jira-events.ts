import { z } from 'zod';
import { jsonType, readRawBody } from '../request/read-body.ts';
import { queryOf, readPairs } from '../request/read-pairs.ts';
import type { AnyRoute } from '../route.ts';

/** An issue with all its fields can be large. */
const MOST_BYTES = 5_000_000;

/** Takes what Jira tells of by itself. The signature is over the bytes, so they are read as they are. */
export const jiraEvents: AnyRoute = {
  methods: ['post'],
  paths: ['/rest/webhooks/jira'],
  guarded: false,
  section: 'Service',
  summary: 'Receive a webhook of Jira: the issues it names are read again soon',
  parameters: z.object({}),
  body: z.looseObject({ webhookEvent: z.string() }).meta({
    description: 'An event; only the keys of its issues are used, and the issues are read from Jira.',
    examples: [{ webhookEvent: 'jira:issue_updated', issue: { id: '10001' } }],
  }),
  mostBytes: MOST_BYTES,
  answers: {
    description:
      "The event was taken. It needs the header X-Hub-Signature with 'sha256=' and the HMAC of the body in hex, made with JIRA_WEBHOOK_SECRET.",
    content: {},
    failures: [403, 404],
  },
  async serve(request, response, { events }) {
    readPairs(queryOf(request.originalUrl), 'query string');
    const body = await readRawBody(request, response, jsonType, MOST_BYTES);
    await events.receive(body, request.get('x-hub-signature'));
    return { status: 204, body: undefined };
  },
};
