import { Ajv2020 } from 'ajv/dist/2020.js';
import ajvFormats from 'ajv-formats';
import { expect } from '#jest';
import type { TestDwell } from '../support/start-dwell.ts';

type Json = Awaited<ReturnType<TestDwell['get']>>['json'];

interface SentAnswer {
  readonly status: number;
  readonly type: string | null;
  readonly json: Json;
}

/** Keywords by which a schema can take what a stricter part of it refuses. */
const excluding = /"(?:oneOf|not|if)":/;

/**
 * What is wrong with an answer by an OpenAPI document, with members refused that it does not describe. What passes so
 * passes for clients as well, which take the document as it is: no schema of it excludes what another one takes.
 */
export function describedAnswers(document: Json) {
  expect(JSON.stringify(document)).not.toMatch(excluding);
  // Schemas are many and answers few: what several refer to is compiled once, and no better than it has to be.
  const quickly = { inlineRefs: false, code: { optimize: false } };
  const ajv = new Ajv2020({ strict: false, allErrors: true, unicodeRegExp: false, ...quickly });
  (ajvFormats as never as (one: Ajv2020) => void)(ajv);
  ajv.addSchema(strictly(document), 'document');
  return (path: string, method: string, { status, type, json }: SentAnswer): unknown[] => {
    const described = document.paths[path]?.[method]?.responses[status];
    if (described === undefined) return [`${method} ${path} is described without ${status}`];
    const name = described.$ref?.split('/').at(-1);
    const { content = {} } = name === undefined ? described : document.components.responses[name];
    const media = type?.replace(/; charset=.*/, '') ?? '';
    if (!(media in content)) return [`${method} ${path} is described without ${media}`];
    if (!/^application\/json\b/.test(media)) return [];
    const at = ['paths', path, method, 'responses', status, 'content', media, 'schema'];
    const pointer = name === undefined ? at : ['components', 'responses', name, 'content', media, 'schema'];
    const encoded = pointer.map((step) =>
      encodeURIComponent(String(step).replaceAll('~', '~0').replaceAll('/', '~1')),
    );
    const validate = ajv.getSchema(`document#/${encoded.join('/')}`);
    if (validate === undefined) return [`${pointer.join('/')} is no schema`];
    validate(json);
    return validate.errors ?? [];
  };
}

/** Every schema, with members that are not described refused where the schema has members of its own. */
function strictly(part: Json): Json {
  if (Array.isArray(part)) return part.map(strictly);
  if (typeof part !== 'object' || part === null) return part;
  const inner = Object.fromEntries(Object.entries(part).map(([name, one]) => [name, strictly(one)]));
  return part.type === 'object' && part.properties !== undefined && part.additionalProperties === undefined
    ? { ...inner, additionalProperties: false }
    : inner;
}
