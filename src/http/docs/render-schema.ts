import { z } from 'zod';
import { escapeMarkup as text } from './markup.ts';

/** One member of a JSON value: where it stands, what it holds, and what that means. */
interface Member {
  readonly path: string;
  readonly type: string;
  readonly description: string;
  readonly required: boolean;
}

type Schema = z.core.JSONSchema.BaseSchema;

/** Deeper members are what trackers and clients put there. */
const DEEPEST = 8;

/** The members of a JSON value as a table, one line each; nothing where it has none. Of what is sent it tells what must be. */
export function schemaTable(schema: z.ZodType, io: 'input' | 'output'): string {
  const root = z.toJSONSchema(schema, { io, unrepresentable: 'any', reused: 'inline' });
  const members = membersOf(root, '', root.$defs ?? {}, 0);
  if (members.length === 0) return '';
  const rows = members.map(
    ({ path, type, description, required }) =>
      `<tr><td><code>${text(path)}</code>${required && io === 'input' ? ' <span class="needed">required</span>' : ''}</td><td>${text(type)}</td><td>${text(description)}</td></tr>`,
  );
  return `<div class="scroll"><table><thead><tr><th>Member</th><th>Holds</th><th>Meaning</th></tr></thead><tbody>${rows.join('')}</tbody></table></div>`;
}

function membersOf(
  schema: Schema,
  path: string,
  defs: Readonly<Record<string, Schema>>,
  depth: number,
): Member[] {
  const own = resolve(schema, defs);
  if (depth > DEEPEST) return [];
  const alternatives = [...(own.anyOf ?? []), ...(own.oneOf ?? []), ...(own.allOf ?? [])].flatMap((one) =>
    typeof one === 'object' ? membersOf(one, path, defs, depth + 1) : [],
  );
  const properties = Object.entries(own.properties ?? {}).flatMap(([name, property]) => {
    if (typeof property !== 'object') return [];
    const at = path === '' ? name : `${path}.${name}`;
    const { description = '' } = { ...resolve(property, defs), ...property };
    return [
      {
        path: at,
        type: typeOf(property, defs),
        description,
        required: own.required?.includes(name) === true,
      },
      ...membersOf(property, at, defs, depth + 1),
    ];
  });
  const items =
    typeof own.items === 'object' && !Array.isArray(own.items)
      ? membersOf(own.items, `${path}[]`, defs, depth + 1)
      : [];
  return distinct([...properties, ...items, ...alternatives]);
}

/** What a name refers to. */
function resolve(schema: Schema, defs: Readonly<Record<string, Schema>>): Schema {
  const name = schema.$ref?.split('/').at(-1);
  return (name === undefined ? undefined : defs[name]) ?? schema;
}

function typeOf(schema: Schema, defs: Readonly<Record<string, Schema>>): string {
  const own = resolve(schema, defs);
  if (own.enum !== undefined) return own.enum.map(String).join(' | ');
  if (own.const !== undefined) return JSON.stringify(own.const);
  const options = [...(own.anyOf ?? []), ...(own.oneOf ?? [])];
  if (options.length > 0) {
    return [...new Set(options.map((one) => (typeof one === 'object' ? typeOf(one, defs) : 'any')))].join(
      ' | ',
    );
  }
  if (own.type === 'array') {
    const item = typeof own.items === 'object' && !Array.isArray(own.items) ? typeOf(own.items, defs) : 'any';
    return `list of ${item}`;
  }
  return Array.isArray(own.type) ? own.type.join(' | ') : (own.type ?? 'any');
}

function distinct(members: readonly Member[]): Member[] {
  return [...new Map(members.map((member) => [member.path, member])).values()];
}
