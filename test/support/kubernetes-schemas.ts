import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import { z } from 'zod';
import { fixture } from './fixture.ts';

/** A definition of Kubernetes by its name; of one that a manifest can be, its version and kind. */
type Definition = readonly [name: string, schema: unknown, kind?: string];

/** A text, or a number, in one value. */
const INT_OR_STRING = 'io.k8s.apimachinery.pkg.util.intstr.IntOrString';

/**
 * Returns what checks a manifest against the schemas of Kubernetes 1.36, as strictly as `kubectl apply --validate=strict`
 * does: what it says is wrong, nothing where all is right. A kind that is not in the fixture is wrong as well.
 */
export function createManifestCheck(): (manifest: { apiVersion: string; kind: string }) => readonly string[] {
  const lines = readFileSync(fixture('kubernetes-1.36.subset.openapi.jsonl'), 'utf8').trim().split('\n');
  const all = lines.map((line): Definition => JSON.parse(line));
  const definitions = Object.fromEntries(
    all.map(([name, schema]) => [
      name,
      name === INT_OR_STRING ? { type: ['integer', 'string'] } : closed(schema),
    ]),
  );
  const ajv = new Ajv({ allErrors: true, strict: false, validateFormats: false });
  ajv.addSchema({ $id: 'kubernetes', definitions });
  return ({ apiVersion, kind, ...rest }) => {
    const found = all.find(([, , one]) => one === `${apiVersion} ${kind}`);
    if (found === undefined) return [`The fixture has no ${apiVersion} ${kind}.`];
    const validate = ajv.getSchema(`kubernetes#/definitions/${found[0]}`);
    if (validate?.({ apiVersion, kind, ...rest }) === true) return [];
    return (validate?.errors ?? []).map(
      ({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`,
    );
  };
}

const object = z.looseObject({ properties: z.record(z.string(), z.unknown()) });

/** A definition that has no members but those it names. */
function closed(schema: unknown): object {
  const { data } = object.safeParse(schema);
  return data === undefined ? z.looseObject({}).parse(schema) : { ...data, additionalProperties: false };
}
