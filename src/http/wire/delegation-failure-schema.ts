import { z } from 'zod';
import { failureReason } from './failure-schema.ts';

const members = { status: z.int(), message: z.string(), reason: failureReason };
const errors = z.record(z.string(), z.string()).optional().meta({
  description:
    'Of every 400, and of nothing else: what is wrong, by parameter or member, or of the body. Empty where it is about none of them.',
});

/** The shape of every failure of a look-up. */
export const lookUpFailureSchema = z
  .object({ ...members, timestamp: z.int().meta({ description: 'Epoch milliseconds.' }), errors })
  .meta({ id: 'LookUpFailure' });

/** The shape of every failure around the records of delegations. */
export const recordFailureSchema = z
  .object({
    ...members,
    timestamp: z.string().meta({ description: 'yyyy-MM-dd HH:mm:ss Z in the zone of the server.' }),
    errors,
  })
  .meta({ id: 'RecordFailure' });
