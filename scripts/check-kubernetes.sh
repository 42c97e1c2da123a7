#!/usr/bin/env bash
# Checks the files of deploy/kubernetes against the schemas of Kubernetes: required fields and types. The package with the
# schemas is installed into a temporary folder, because nothing else needs its 32 MB.
set -euo pipefail

readonly SCHEMAS=kubernetes-models@4.5.1

checkout=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
workspace=$(mktemp -d "${TMPDIR:-/tmp}/almanac-kubernetes.XXXXXX")
trap 'rm -rf "$workspace"' EXIT

cd "$workspace"
echo '{}' >package.json
npm install "$SCHEMAS" --ignore-scripts --no-audit --no-fund --loglevel=error
cat >check.cjs <<'JS'
const { readdirSync, readFileSync } = require('node:fs');
const { createRequire } = require('node:module');
const path = require('node:path');

const [checkout] = process.argv.slice(2);
const { parseAllDocuments } = createRequire(path.join(checkout, 'package.json'))('yaml');
const folder = path.join(checkout, 'deploy/kubernetes');
for (const file of readdirSync(folder)) {
  for (const document of parseAllDocuments(readFileSync(path.join(folder, file), 'utf8'))) {
    const object = document.toJS();
    const models = require(`kubernetes-models/${object.apiVersion}/${object.kind}`);
    try {
      new models[object.kind](object).validate();
      console.log(`${file}: ${object.kind} is valid`);
    } catch (error) {
      console.error(`${file}: ${object.kind}: ${error.message}`);
      process.exitCode = 1;
    }
  }
}
JS
node check.cjs "$checkout"
