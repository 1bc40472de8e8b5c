import { z } from 'zod';
import { failureReasons } from '../refusal.ts';

/** Why a request failed, for programs. */
export const failureReason = z.enum(failureReasons).meta({
  id: 'FailureReason',
  description: 'Why it failed, for programs: the sentences may change, a reason does not. More may be added.',
});

/** The one shape of every failure. */
export const failureSchema = z
  .object({
    status: z.int(),
    message: z.string(),
    reason: failureReason,
    messages: z
      .array(z.string())
      .nullable()
      .meta({ description: 'Whole sentences that name the parameter, its value and what is allowed.' }),
    errors: z.record(z.string(), z.string()).optional().meta({
      description: 'The same by parameter or member, or of the body; absent where the failure is about none.',
    }),
    pluginVersion: z.string(),
    time: z.string().meta({ description: 'yyyy-MM-dd HH:mm:ss in the zone of the server.' }),
    exportId: z.string().optional().meta({ description: 'The one the path names, where it names one.' }),
  })
  .meta({ id: 'Failure' });
