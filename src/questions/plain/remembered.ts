import type { ParserContext } from '../parse/parser-context.ts';

/** The same context, which asks for each name and each list once, however many words of a sentence are compared with it. */
export function remembered(context: ParserContext): ParserContext {
  return {
    ...context,
    isProject: once(context.isProject),
    isField: once(context.isField),
    isQuery: once(context.isQuery),
    valuesOf: once(context.valuesOf),
    statuses: once(context.statuses),
    people: once(context.people),
    sprintNames: once(context.sprintNames),
    parameterSets: once(context.parameterSets),
  };
}

function once<Value>(find: (name: string) => Promise<Value>): (name?: string) => Promise<Value> {
  const found = new Map<string, Promise<Value>>();
  return (name = '') => {
    const known = found.get(name) ?? find(name);
    found.set(name, known);
    return known;
  };
}
