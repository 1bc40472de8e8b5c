import { z } from 'zod';
import { text } from '../../api/parameters/parameter.ts';
import { queryOf, readPairs } from '../parameters/read-parameters.ts';
import { readRawBody } from '../read-body.ts';
import { type AnyRoute, jsonType } from '../route.ts';

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
    readPairs(queryOf(request.originalUrl), 'query string');
    const read = () => readRawBody(request, response, jsonType, MAX_BYTES);
    const body = await admission.reading(response, read);
    await events.receive(String(request.params.tracker), body, (name) => request.get(name));
    return { body: undefined };
  },
};
