import type { RouteFacts } from '../route.ts';
import type { JsonSchema } from './describe-parameters.ts';

/** The ways in which somebody can prove who they are, by name. */
export const securitySchemes = {
  header: {
    type: 'apiKey',
    in: 'header',
    name: 'Authorization',
    description: 'TISJWT, a blank, and the token.',
  },
  query: {
    type: 'apiKey',
    in: 'query',
    name: 'tisjwt',
    description: 'The token; in a form it may also be the field tisjwt. The header is preferred.',
  },
  basic: {
    type: 'http',
    scheme: 'basic',
    description: 'A user, and a token of theirs as the password.',
  },
  bearer: { type: 'http', scheme: 'bearer', description: 'The token.' },
};

const reporting = [{ header: [] }, { query: [] }, { bearer: [] }, { basic: [] }];
const delegation = [{ basic: [] }, { bearer: [] }, { header: [] }];

/** Those of them that a route takes. */
export function securityOf({
  guarded,
  dialect = 'reporting',
}: Pick<RouteFacts, 'guarded' | 'dialect'>): readonly JsonSchema[] {
  if (!guarded) return [];
  return dialect === 'reporting' ? reporting : delegation;
}
