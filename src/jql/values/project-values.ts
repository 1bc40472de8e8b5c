import { rememberByChunk } from '../../issues/issue-chunks.ts';
import { projectKeyOf } from '../../issues/issue-fields.ts';
import type { FieldValue, Issue } from '../../model/issue.ts';
import type { Compilation } from '../compilation.ts';
import { listed, refuse } from '../refuse.ts';
import { functionCalled } from './call.ts';
import { isOneOf } from './named-values.ts';
import { idsFor, type Naming, nameAll } from './naming.ts';
import { byName, type Values } from './values.ts';

/** Projects by key, name or id; their items are the keys. Known are those with issues the asker may see. */
export function projectValues(compilation: Compilation): Values {
  return {
    equal: (asked, inList) => {
      if (asked.kind === 'call') functionCalled(asked, [], { compilation, title: 'project', inList });
      const projects = projectsIn(compilation.world.issues);
      const keys = asked.kind === 'value' ? idsFor(asked, [projects.byKey], [projects.named]) : null;
      if (keys === null) {
        const known = projects.byKey.names;
        const allowed = known.length === 0 ? 'there are no projects here' : `allowed: ${listed(known)}`;
        throw refuse(compilation.name, asked, `is not a project that is known here; ${allowed}.`);
      }
      return isOneOf(keys);
    },
    sortKey: byName,
  };
}

/** Keys come before names and ids, so that no name can stand in the way of a key. */
interface Projects {
  readonly byKey: Naming;
  readonly named: Naming;
}

interface Met {
  readonly keys: ReadonlyMap<string, FieldValue>;
  readonly named: ReadonlyMap<string, FieldValue>;
}

const projectsIn = rememberByChunk(
  meet,
  (parts): Projects => ({
    byKey: nameAll(joinMaps(parts.map(({ keys }) => keys)).values()),
    named: nameAll(joinMaps(parts.map(({ named }) => named)).values()),
  }),
);

function joinMaps(maps: readonly ReadonlyMap<string, FieldValue>[]): ReadonlyMap<string, FieldValue> {
  return new Map(maps.flatMap((map) => [...map]));
}

function meet(issues: readonly Issue[]): Met {
  const keys = new Map<string, FieldValue>();
  const named = new Map<string, FieldValue>();
  for (const issue of issues) {
    const key = projectKeyOf(issue);
    const { id, name } = issue.project;
    keys.set(key, { id: key, name: key });
    named.set(`${key}\n${id}\n${name}`, { id: key, name });
    named.set(`${key}\n${id}`, { id: key, name: id });
  }
  return { keys, named };
}
