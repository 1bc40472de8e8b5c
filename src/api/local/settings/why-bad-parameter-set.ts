import type { ParameterSet } from '../../../model/settings.ts';
import { quoted } from './quoted.ts';
import { sameName } from './same-name.ts';

const LONGEST_NAME = 200;
const MOST_PARAMETERS = 100;
const LONGEST_JSON = 100_000;

/** What is wrong with a set among all others, in whole sentences. Whether its parameters mean anything is not asked. */
export function whyBadParameterSet(set: ParameterSet, all: readonly ParameterSet[]): readonly string[] {
  const { id, name, ownerId, parameters } = set;
  const sentences: string[] = [];
  if (name.length < 1 || name.length > LONGEST_NAME) {
    sentences.push(
      `name ${quoted(name)} has ${name.length} characters; allowed: 1 to ${LONGEST_NAME} characters.`,
    );
  }
  const taken = all.some(
    (other) => other.id !== id && other.ownerId === ownerId && sameName(other.name, name),
  );
  if (taken) {
    sentences.push(
      `name ${quoted(name)} is the name of another parameter set of '${ownerId}'; allowed: a name that none of them has in any case.`,
    );
  }
  return [...sentences, ...whyBadParameters(parameters)];
}

function whyBadParameters(parameters: unknown): readonly string[] {
  const text = JSON.stringify(parameters) ?? 'undefined';
  if (parameters === null || typeof parameters !== 'object' || Array.isArray(parameters)) {
    return [`parameters ${quoted(text)} is not an object; allowed: an object of request parameters by name.`];
  }
  const count = Object.keys(parameters).length;
  if (count > MOST_PARAMETERS) {
    return [`parameters ${quoted(text)} has ${count} entries; allowed: at most ${MOST_PARAMETERS} entries.`];
  }
  return text.length <= LONGEST_JSON
    ? []
    : [
        `parameters ${quoted(text)} has ${text.length} characters as JSON; allowed: at most ${LONGEST_JSON} characters.`,
      ];
}
