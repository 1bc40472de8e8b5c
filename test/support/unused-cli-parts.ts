import type { CliParts } from '../../src/cli/cli-command.ts';

/** Parts of the command line for a command that uses none but those it is given beside. */
export const unusedCliParts: CliParts = {
  tenant: 'default',
  backUp: undefined as never,
  tokens: undefined as never,
  rights: undefined as never,
  trackerDecides: false,
  people: undefined as never,
  delegationAccess: undefined as never,
  channels: undefined as never,
  digests: undefined as never,
  restore: { isPaused: async () => false, resume: async () => false },
  statusCategories: undefined as never,
  sync: undefined as never,
  consent: null,
  baseUrl: null,
  slackManifest: undefined as never,
  tracker: async () => 'file',
  now: () => 0,
  killed: new AbortController().signal,
  importFiles: undefined as never,
  serveAssistant: undefined as never,
  out: () => {},
  err: () => {},
  progress: () => {},
};
