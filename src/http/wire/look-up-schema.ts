import { z } from 'zod';

const asOf = z
  .string()
  .meta({ description: 'The time looked at: yyyy-MM-dd HH:mm:ss Z in the zone of the server.' });
const category = z.string().meta({ description: 'The name as it is stored.' });
const people = z.array(z.string());

/** Who stands in for somebody. */
export const delegatesSchema = z
  .object({ delegator: z.string(), asOf, category, delegates: people })
  .meta({ id: 'Delegates' });

/** For whom somebody stands in. */
export const delegatorsSchema = z
  .object({ delegate: z.string(), asOf, category, delegators: people })
  .meta({ id: 'Delegators' });

/** Who stands in for those who stand in. */
export const chainSchema = z
  .object({
    delegator: z.string(),
    asOf,
    category,
    paths: z.array(
      z.object({
        people: people.meta({ description: 'User names, the delegator first.' }),
        backTo: z
          .string()
          .nullable()
          .meta({ description: 'The person who would be next again where delegates are away in a circle.' }),
      }),
    ),
    more: z.boolean().meta({ description: 'Further paths were left out: there are too many.' }),
  })
  .meta({ id: 'DelegationChain' });
