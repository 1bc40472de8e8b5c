import type { Command } from '../cli-command.ts';
import { access } from './access.ts';
import { audience } from './audience.ts';
import { audit } from './audit.ts';
import { backup } from './backup.ts';
import { connect, manifest, mcp } from './connect.ts';
import { delegates } from './delegates.ts';
import { digests } from './digests.ts';
import { doctor } from './doctor.ts';
import { flow } from './flow.ts';
import { importCommand } from './import.ts';
import { people } from './people.ts';
import { person } from './person.ts';
import { restore, resume } from './restore.ts';
import { secrets } from './secrets.ts';
import { statuses } from './statuses.ts';
import { store } from './store.ts';
import { sync } from './sync.ts';
import { token, tokens } from './token.ts';

/** Every command of the command line; a new one is one file and one line here. */
export const commands: readonly Command[] = [
  doctor,
  importCommand,
  sync,
  connect,
  backup,
  restore,
  resume,
  access,
  audience,
  audit,
  delegates,
  digests,
  flow,
  manifest,
  mcp,
  people,
  person,
  secrets,
  statuses,
  store,
  token,
  tokens,
];
