import { z } from 'zod';
import { historySchema, issueRowSchema, outerSchema, tableSchema } from './report-schema.ts';

const identity = {
  statusId: z.union([z.number(), z.string()]).nullable().optional(),
  fieldId: z.string().optional(),
  valueId: z.string().nullable().optional(),
};

const statistics = z.array(z.object({ ...identity, value: z.number() }));

/** The visit-by-visit report. */
export const expandedSchema = outerSchema
  .extend({
    table: tableSchema(
      issueRowSchema.extend({
        history: historySchema,
        expanded: z.object({
          stats: z.object({
            visitCounts: statistics,
            totalValues: statistics,
            averageValues: statistics,
            minValues: statistics,
            maxValues: statistics,
          }),
          rows: z.array(
            z.object({
              uniqueDate: z.string(),
              ...identity,
              statusName: z.string().nullable().optional(),
              valueName: z.string().nullable().optional(),
              value: z.number().meta({ description: 'The duration again, under the name clients read.' }),
              start: z.iso.datetime(),
              end: z.iso.datetime().nullable().meta({ description: 'Null while the visit lasts.' }),
              duration: z.number().meta({ description: 'Working milliseconds.' }),
              transitionedBy: z.string().optional(),
            }),
          ),
        }),
      }),
    ),
  })
  .meta({ id: 'Expanded' });
