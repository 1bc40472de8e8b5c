// Runs before `npm start`: where Node was left out of the install, an older one would fail with a riddle.
import { failWithoutNode, isNew } from './needed-node.js';

if (!isNew) failWithoutNode();
