import { z } from 'zod';
import { auditNames } from '../../api/audit/audit-api.ts';
import { flag, instant, oneOf, text, wholeNumber } from '../../api/parameters/parameter.ts';
import { type AuditEntry, auditSubjects, isAuditAction, isOfQuestions } from '../../model/audit.ts';
import { auditData, auditText } from '../../output/audit-text.ts';
import { mapped } from '../../output/encode.ts';
import { defineRoute } from '../define-route.ts';
import { jsonLinesType, jsonType, ndjsonType } from '../route.ts';

const auditEntry = mapped(
  ({ entry, text }: { readonly entry: AuditEntry; readonly text: string }) => ({ ...auditData(entry), text }),
  z
    .object({
      id: z.int().describe('Rises with time; `after` takes it.'),
      at: z.iso.datetime(),
      actor: z
        .string()
        .nullable()
        .describe('Who did it: a user, a Slack account, or a user of the server; null for none.'),
      via: z.string().describe('slack, rest, mcp, cli, clock (what is posted when it is due) or system.'),
      tokenId: z
        .string()
        .nullable()
        .describe('The id of the token it was done with, as `npx dwell tokens` lists it.'),
      requestId: z.string().nullable(),
      action: z.string().describe('Subject and verb.'),
      subject: z.object({ kind: z.string(), id: z.string() }),
      facts: z
        .record(z.string(), z.unknown())
        .describe('By name; `changed` has members before and after, `people` ids of accounts and users.'),
      text: z.string().describe('The entry as a sentence.'),
    })
    .meta({ id: 'AuditEntry', description: 'An entry of the audit log.' }),
);

const outputTypes = { json: jsonType, jsonl: jsonLinesType, ndjson: ndjsonType } as const;

/** The route of the audit log. */
export const auditLog = defineRoute({
  id: 'listAudit',
  methods: ['get'],
  paths: ['/rest/audit'],
  section: 'Audit',
  summary: 'The audit log, oldest first, in pages (administrators)',
  parameters: z.object({
    since: instant.optional().describe('From this instant on (ISO 8601 with an offset).'),
    until: instant.optional().describe('Before this instant.'),
    actor: text.optional().describe('Only what this account or user did.'),
    action: text
      .refine(isAuditAction, {
        error: `is not an action. Try: one such as token.created, or one of ${auditSubjects.join(', ')}`,
      })
      .optional()
      .describe('An action, or a subject for all of its actions.'),
    questions: flag
      .default(false)
      .describe('With questions, which are left out otherwise; with an action of questions they are not.'),
    subject: text.optional().describe('The id of a subject, such as that of a calendar.'),
    after: wholeNumber(0, 999_999_999_999_999)
      .optional()
      .describe('Only entries after the one with this id: what is new since the last request.'),
    limit: wholeNumber(1, 1000).default(100).describe('How many entries a page has at most.'),
    outputType: oneOf(['json', 'jsonl', 'ndjson'])
      .default('json')
      .describe('jsonl and ndjson: an entry on each line, which `Accept` can ask for as well.'),
  }),
  answers: {
    description: 'A page of entries; `after` of the next one is `last`.',
    content: {
      [jsonType]: z
        .object({
          entries: z.array(auditEntry),
          last: z.int().nullable().describe('The id of the last entry; null without entries.'),
          hasMore: z.boolean(),
        })
        .meta({ id: 'AuditPage', description: 'A page of the audit log.' }),
      [jsonLinesType]: z.string(),
      [ndjsonType]: z.string(),
    },
    failures: [403],
  },
  permit: (_parameters, principal, { audit }) => audit.permit(principal),
  async answer({ limit, outputType, questions, ...filter }, _principal, { audit, people }) {
    const withQuestions = questions || isOfQuestions(filter.action);
    const found = await audit.read({ ...filter, withQuestions }, limit + 1);
    const nameOf = await auditNames(people);
    const page = found.slice(0, limit);
    const entries = page.map((entry) => ({ entry, text: auditText(entry, nameOf) }));
    if (outputType !== 'json') {
      const lines = entries.map((entry) => `${JSON.stringify(auditEntry.parse(entry))}\n`);
      return { type: outputTypes[outputType], body: lines.join('') };
    }
    return { body: { entries, last: page.at(-1)?.id ?? null, hasMore: found.length > limit } };
  },
});
