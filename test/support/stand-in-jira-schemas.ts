import { readFileSync } from 'node:fs';
import { Ajv, type ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';

/** Tells what is wrong with an answer of Jira Cloud; null: nothing, or the documents say nothing about it. */
type AnswerCheck = (method: string, path: string, status: number, body: unknown) => string | null;

const files = ['jira-cloud-v3', 'jira-software-cloud'];

/** Jira's offsets lack their colon, so the documents' own format does not hold for Jira's own answers. */
const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:?\d\d)$/;

let made: AnswerCheck | null = null;

/** Checks answers against Atlassian's OpenAPI documents; every schema is compiled once, when it is first needed. */
export function answerCheck(): AnswerCheck {
  made ??= createAnswerCheck();
  return made;
}

function createAnswerCheck(): AnswerCheck {
  const ajv = new Ajv({ strict: false, allErrors: false });
  addFormats.default(ajv);
  ajv.addFormat('date-time', instant);
  const routes = files.flatMap((file) => {
    const url = new URL(`../fixtures/${file}.subset.openapi.json`, import.meta.url);
    const document: unknown = JSON.parse(readFileSync(url, 'utf8'));
    relax(document);
    ajv.addSchema({ $id: file, ...objectOf(document) });
    return Object.entries(objectOf(objectOf(document).paths)).map(([path, methods]) => ({
      file,
      path,
      pattern: new RegExp(`^${path.replace(/\{[^}]+\}/g, '[^/]+')}$`),
      methods: objectOf(methods),
    }));
  });
  const compiled = new Map<string, ValidateFunction | null>();

  function validatorOf(method: string, path: string, status: number): ValidateFunction | null {
    const candidates = routes.filter(({ pattern }) => pattern.test(path));
    const route = candidates.find((one) => one.path === path) ?? candidates[0];
    if (route === undefined) return null;
    const name = `${method} ${route.path} ${status}`;
    const known = compiled.get(name);
    if (known !== undefined) return known;
    const place = [
      method.toLowerCase(),
      'responses',
      String(status),
      'content',
      'application/json',
      'schema',
    ];
    const schema = place.reduce<unknown>((value, key) => objectOf(value)[key], route.methods);
    const pointer = ['paths', route.path, ...place]
      .map((one) => encodeURIComponent(one.replaceAll('~', '~0').replaceAll('/', '~1')))
      .join('/');
    const validate = schema === undefined ? null : ajv.compile({ $ref: `${route.file}#/${pointer}` });
    compiled.set(name, validate);
    return validate;
  }

  return (method, path, status, body) => {
    const validate = validatorOf(method, path, status);
    if (validate === null || validate(body)) return null;
    const [first] = validate.errors ?? [];
    return `${method} ${path} ${status}: ${first?.instancePath ?? ''} ${first?.message ?? 'is wrong'}`;
  };
}

/** The documents are stricter than Jira: values of changes may be null, and instants of the bulk changelog numbers. */
function relax(document: unknown): void {
  const { schemas } = objectOf(objectOf(document).components);
  const change = objectOf(objectOf(objectOf(schemas).ChangeDetails).properties);
  for (const name of ['from', 'fromString', 'to', 'toString']) {
    if (Object.hasOwn(change, name))
      Object.assign(objectOf(change[name]), { type: 'string', nullable: true });
  }
  const entry = objectOf(objectOf(objectOf(schemas).Changelog).properties);
  if (Object.hasOwn(entry, 'created')) {
    entry.created = { anyOf: [entry.created, { type: 'integer', format: 'int64' }] };
  }
}

function objectOf(value: unknown): Record<string, unknown> {
  return isObject(value) ? value : {};
}

function isObject(value: unknown): value is Record<string, unknown> {
  return value !== null && typeof value === 'object';
}
