// Prints the commands of the README's tour as one shell script, except for those that take minutes:
//
//   node scripts/readme-commands.mjs | bash -eu

import { readFileSync } from 'node:fs';

const SLOW = /scout replay/;

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
const tour = readme.slice(readme.indexOf('\n## Five minutes'), readme.indexOf('\n## Configuration'));
const blocks = [...tour.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, commands = '']) => commands);
process.stdout.write(blocks.filter((commands) => !SLOW.test(commands)).join('\n'));
