import { z } from 'zod';
import type { ConsolidatedStatus } from '../model/request.ts';
import { embeddedJson } from './embedded-json.ts';
import { statusReference } from './status-reference.ts';

const MOST_COLUMNS = 50;

const example = '[{"name":"Active","statuses":["3","4"]}]';

const consolidated = z.object({
  name: z.string().trim().min(1).max(200),
  statuses: z.array(statusReference),
}) satisfies z.ZodType<ConsolidatedStatus>;

/** Columns that merge several statuses under one name. */
export const consolidatedStatuses = embeddedJson(
  z.array(consolidated).max(MOST_COLUMNS),
  `a JSON list of up to ${MOST_COLUMNS} columns such as ${example}`,
)
  .default([])
  .meta({
    description:
      'Columns that merge several statuses (ids or names) under one name; their figures are the sums of their members.',
    examples: [example],
  });
