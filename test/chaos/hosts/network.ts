import { execFileSync } from 'node:child_process';
import { bridgeName, linkName, namespaceName, processesIn, type RunFolder, signalProcess } from './run-folder.ts';

/** A network namespace with one link to the others. */
export interface Host {
  readonly name: string;
  readonly address: string;
  /** The words before a command that runs on this host. */
  readonly prefix: readonly string[];
  /** Packets from and to the host are lost silently. */
  cutLink(): void;
  healLink(): void;
  /** Sends a signal to every process of the host. */
  signalAll(signal: NodeJS.Signals): void;
  addAddress(address: string): void;
  /** Removes an additional address, if the host has it. */
  removeAddress(address: string): void;
}

/** Hosts that are connected by a bridge. This process is on the bridge as well. */
export interface Network {
  /** The address of this process. */
  readonly ownAddress: string;
  /** An address that no host has yet. It can be given to one, and moved to another. */
  readonly fixedAddress: string;
  addHost(name: string): Host;
  /** Makes all hosts look up who has an address, as after an announcement of its new host. */
  forgetNeighbors(): void;
}

export function createNetwork(run: RunFolder): Network {
  const subnet = `10.213.${run.number}`;
  const bridge = bridgeName(run.number);
  const ownAddress = `${subnet}.1`;
  ip('link', 'add', bridge, 'type', 'bridge');
  ip('address', 'add', `${ownAddress}/24`, 'dev', bridge);
  ip('link', 'set', bridge, 'up');
  const hosts: Host[] = [];
  return {
    ownAddress,
    fixedAddress: `${subnet}.100`,
    addHost(name) {
      const host = addHost(run, name, hosts.length + 2);
      hosts.push(host);
      return host;
    },
    forgetNeighbors() {
      ip('neighbor', 'flush', 'dev', bridge);
      for (const { name } of hosts) ip('-n', namespaceName(run.number, name), 'neighbor', 'flush', 'dev', 'eth0');
    },
  };
}

function addHost({ number }: RunFolder, name: string, index: number): Host {
  const namespace = namespaceName(number, name);
  const link = linkName(number, index);
  const address = `10.213.${number}.${index}`;
  const inside = (...args: string[]) => ip('-n', namespace, ...args);
  ip('netns', 'add', namespace);
  ip('link', 'add', link, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', namespace);
  ip('link', 'set', link, 'master', bridgeName(number), 'up');
  inside('address', 'add', `${address}/24`, 'dev', 'eth0');
  inside('link', 'set', 'lo', 'up');
  inside('link', 'set', 'eth0', 'up');
  return {
    name,
    address,
    prefix: ['nsenter', `--net=/run/netns/${namespace}`, '--'],
    // Taken off the bridge, not set down, because a host notices a link that is down.
    cutLink: () => ip('link', 'set', link, 'nomaster'),
    healLink: () => ip('link', 'set', link, 'master', bridgeName(number)),
    signalAll: (signal) => {
      for (const pid of processesIn(namespace)) signalProcess(pid, signal);
    },
    addAddress: (added) => inside('address', 'replace', `${added}/24`, 'dev', 'eth0'),
    removeAddress: (removed) => {
      if (inside('-4', 'address', 'show', 'dev', 'eth0').includes(` ${removed}/`))
        inside('address', 'delete', `${removed}/24`, 'dev', 'eth0');
    },
  };
}

function ip(...args: string[]): string {
  return execFileSync('ip', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
}
