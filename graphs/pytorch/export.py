#!/usr/bin/env python3
"""Writes the joint forward and backward graph of a PyTorch module as a compute
graph for moccasin (node-link JSON).

As a program:

    python export.py my_models.py:make -o net.json
    python export.py --demo unet -o unet.json
    moccasin solve net.json --budget 70%

where `make()` in my_models.py returns (module, inputs), (module, inputs, loss)
or (module, inputs, loss, targets): `inputs` a tuple of tensors, `loss` a
function of the module's output and the targets to a scalar, `targets` a tuple
of tensors; without a loss the mean of all outputs is taken.

As a library (this one file, torch is all it needs):

    from export import export
    document = export(module, inputs, loss, targets)

What becomes of what, in the graph that AOTAutograd traces:

    operator                 a node; of one with several outputs, the first that
                             is read is the node's, each further one a node
                             of its own right behind it (duration 0,
                             max_computes 1, because it can't be had again
                             without the operator); what is made but not yet
                             handed on is workspace
    view (reshape, slice,    nothing: who reads it reads what it is a view of,
    transpose...)            so its bytes count once
    parameter, buffer,       fixed_memory: held throughout
    input, constant
    loss, gradients,         keep: held to the end
    updated buffers
    random or in-place       max_computes 1: not to be computed again
    size                     bytes, from the fake tensor's shape and type
    duration                 nanoseconds: FLOPs / --flops + bytes read and
                             written / --bandwidth, or measured (--measure)

Nothing is computed while tracing, so networks larger than this machine can be
exported; only --measure runs them.
"""

import argparse
import importlib.util
import json
import operator
import sys
import time

import torch
from torch._functorch.aot_autograd import aot_export_module
from torch.utils._pytree import tree_leaves
from torch.utils.flop_counter import flop_registry


class _Training(torch.nn.Module):
    """The module with its loss, the form in which the tracer wants it."""

    def __init__(self, module, loss, inputs):
        super().__init__()
        self.module = module
        self.loss = loss
        self.inputs = inputs

    def forward(self, *tensors):
        output = self.module(*tensors[:self.inputs])
        if self.loss is not None:
            return (self.loss(output, *tensors[self.inputs:]),)
        leaves = [x for x in tree_leaves(output)
                  if isinstance(x, torch.Tensor) and x.is_floating_point()]
        return (torch.stack([x.float().mean() for x in leaves]).sum(),)


def _tensors(value):
    return [x for x in tree_leaves(value) if isinstance(x, torch.Tensor)]


def _bytes(value):
    return sum(x.numel() * x.element_size() for x in _tensors(value))


def _is_view(node):
    """Does the node make no memory of its own?"""
    schema = getattr(node.target, "_schema", None)
    if schema is None:
        return False
    returns = [r.alias_info for r in schema.returns]
    return any(a is not None and not a.is_write for a in returns)


def _once(node):
    """Must the node not be computed again?"""
    schema = getattr(node.target, "_schema", None)
    tags = getattr(node.target, "tags", ())
    return (schema is not None and schema.is_mutable) or (
        torch.Tag.nondeterministic_seeded in tags)


def _flops(node, value):
    count = flop_registry.get(getattr(node.target, "overloadpacket", None))
    if count is None:
        return sum(x.numel() for x in _tensors(value))
    arguments, keywords = torch.fx.node.map_arg(
        (node.args, node.kwargs), lambda n: n.meta["val"])
    return count(*arguments, **keywords, out_val=value)


class _Timer(torch.fx.Interpreter):
    """Runs the traced graph and notes the least time of each operator."""

    def __init__(self, graph, repeats):
        super().__init__(graph)
        self.repeats = repeats
        self.nanoseconds = {}

    def run_node(self, node):
        if (node.op != "call_function" or _is_view(node)
                or node.target is operator.getitem):
            return super().run_node(node)
        least = None
        for _ in range(1 if _once(node) else self.repeats):
            start = time.perf_counter_ns()
            result = super().run_node(node)
            if torch.cuda.is_available():
                torch.cuda.synchronize()
            taken = time.perf_counter_ns() - start
            least = taken if least is None else min(least, taken)
        self.nanoseconds[node.name] = least
        return result


def _measure(graph, repeats):
    def real(fake):
        if not isinstance(fake, torch.Tensor):
            return fake
        make = torch.rand if fake.is_floating_point() else torch.zeros
        return make(fake.shape, dtype=fake.dtype, device=fake.device)

    timer = _Timer(graph, repeats)
    places = [n for n in graph.graph.nodes if n.op == "placeholder"]
    with torch.no_grad():
        timer.run(*[real(n.meta["val"]) for n in places])
    return timer.nanoseconds


class _Document:
    """Nodes, links and fixed memory as they grow."""

    def __init__(self):
        self.fixed = 0
        self.nodes = []
        self.links = []
        self.place = {}  # fx node -> index of what holds its bytes, or None

    def add(self, name, operation, duration, size, workspace, once, sources):
        index = len(self.nodes)
        node = {"id": index, "name": name, "operator": operation,
                "duration": duration, "size": size}
        if workspace:
            node["workspace"] = workspace
        if once:
            node["max_computes"] = 1
        self.nodes.append(node)
        self.links += [{"source": s, "target": index}
                       for s in dict.fromkeys(sources) if s is not None]
        return index

    def operator(self, node, duration):
        """The node of an operator, and those of its further outputs."""
        value = node.meta.get("val")
        parts = {}  # output number -> its getitem nodes, in order
        if isinstance(value, (tuple, list)):
            for user in node.users:
                if user.target is operator.getitem:
                    parts.setdefault(user.args[1], []).append(user)
        order = sorted(parts)
        first = value[order[0]] if order else value
        waiting = _bytes(value) - _bytes(first)
        index = self.add(node.name, str(node.target), duration, _bytes(first),
                         waiting, _once(node),
                         [self.place[n] for n in node.all_input_nodes])
        self.place[node] = index
        waiting = sum(_bytes(value[k]) for k in order[1:])
        for k in order:
            at = index
            if k != order[0]:
                waiting -= _bytes(value[k])
                at = self.add(f"{node.name}.{k}", "output", 0, _bytes(value[k]),
                              waiting, True, [index])
            for user in parts[k]:
                self.place[user] = at


def export(module, inputs, loss=None, targets=(), *, name=None, flops=14e12,
           bandwidth=900e9, measure=0):
    """The document as Python dicts and lists.  `measure`: time each operator
    so many times instead of estimating."""
    traced, _ = aot_export_module(_Training(module, loss, len(inputs)),
                                  (*inputs, *targets),
                                  trace_joint=True, output_loss_index=0)
    measured = _measure(traced, measure) if measure else {}
    document = _Document()
    place = document.place
    for node in traced.graph.nodes:
        value = node.meta.get("val")
        if node.op == "placeholder":
            document.fixed += _bytes(value)
            place[node] = None
        elif node.op == "get_attr":
            document.fixed += _bytes(getattr(traced, node.target))
            place[node] = None
        elif node.op == "output":
            for kept in node.all_input_nodes:
                if place[kept] is not None:
                    document.nodes[place[kept]]["keep"] = True
        elif node in place:
            pass  # an output of an operator, placed with it
        elif _is_view(node):
            base = node.all_input_nodes[0]
            place[node] = place[base]
        else:
            moved = _bytes(value) + _bytes([n.meta.get("val")
                                            for n in node.all_input_nodes])
            estimate = (_flops(node, value) / flops + moved / bandwidth) * 1e9
            document.operator(node, measured.get(node.name,
                                                 max(1, round(estimate))))
    return {"directed": True, "multigraph": False,
            "graph": {"name": name or type(module).__name__,
                      "fixed_memory": document.fixed,
                      "order": list(range(len(document.nodes)))},
            "nodes": document.nodes, "links": document.links}


# ---- examples ----------------------------------------------------------------

def demo_convnet():
    """A small convolutional network with residual blocks and dropout."""
    def block(channels):
        return torch.nn.Sequential(
            torch.nn.Conv2d(channels, channels, 3, padding=1),
            torch.nn.BatchNorm2d(channels), torch.nn.ReLU(),
            torch.nn.Conv2d(channels, channels, 3, padding=1),
            torch.nn.BatchNorm2d(channels))

    class ConvNet(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.stem = torch.nn.Conv2d(3, 32, 3, padding=1)
            self.blocks = torch.nn.ModuleList(block(32) for _ in range(4))
            self.drop = torch.nn.Dropout(0.1)
            self.head = torch.nn.Linear(32, 10)

        def forward(self, x):
            x = torch.relu(self.stem(x))
            for one in self.blocks:
                x = torch.relu(x + one(x))
            return self.head(self.drop(x.mean((2, 3))))

    target = torch.zeros(16, dtype=torch.long)
    return (ConvNet(), (torch.zeros(16, 3, 64, 64),),
            torch.nn.functional.cross_entropy, (target,))


def demo_unet():
    """A U-Net of three levels."""
    def double(inside, outside):
        return torch.nn.Sequential(
            torch.nn.Conv2d(inside, outside, 3, padding=1), torch.nn.ReLU(),
            torch.nn.Conv2d(outside, outside, 3, padding=1), torch.nn.ReLU())

    class UNet(torch.nn.Module):
        def __init__(self, channels=(16, 32, 64, 128)):
            super().__init__()
            self.down = torch.nn.ModuleList(
                double(a, b) for a, b in zip((3,) + channels, channels))
            back = channels[::-1]
            self.up = torch.nn.ModuleList(
                torch.nn.ConvTranspose2d(a, b, 2, stride=2)
                for a, b in zip(back, back[1:]))
            self.merge = torch.nn.ModuleList(
                double(2 * b, b) for b in back[1:])
            self.head = torch.nn.Conv2d(channels[0], 2, 1)

        def forward(self, x):
            skips = []
            for i, level in enumerate(self.down):
                x = level(x if i == 0 else torch.max_pool2d(x, 2))
                skips.append(x)
            for up, merge, skip in zip(self.up, self.merge, skips[-2::-1]):
                x = merge(torch.cat((skip, up(x)), 1))
            return self.head(x)

    return UNet(), (torch.zeros(8, 3, 128, 128),)


def demo_transformer():
    """A small transformer encoder."""
    layer = torch.nn.TransformerEncoderLayer(128, 4, 512, dropout=0.1,
                                             batch_first=True)
    net = torch.nn.TransformerEncoder(layer, 4, enable_nested_tensor=False)
    return net, (torch.zeros(8, 256, 128),)


# ---- program -----------------------------------------------------------------

def _load(target):
    path, _, function = target.rpartition(":")
    if not path:
        sys.exit(f"export.py: expected FILE.py:FUNCTION, found {target!r}")
    spec = importlib.util.spec_from_file_location("exported", path)
    if spec is None:
        sys.exit(f"export.py: {path}: no Python file")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return getattr(module, function)


def main():
    demos = {"convnet": demo_convnet, "unet": demo_unet,
             "transformer": demo_transformer}
    parser = argparse.ArgumentParser(
        description="PyTorch training graphs for moccasin.")
    parser.add_argument("target", nargs="?", metavar="FILE.py:FUNCTION")
    parser.add_argument("--demo", choices=demos)
    parser.add_argument("-o", "--output", metavar="FILE")
    parser.add_argument("--name", help="of the graph")
    parser.add_argument("--flops", type=float, default=14e12,
                        help="a second, of the device (default 14e12)")
    parser.add_argument("--bandwidth", type=float, default=900e9,
                        help="bytes a second (default 900e9)")
    parser.add_argument("--measure", type=int, default=0, metavar="N",
                        help="run each operator N times, take the least")
    options = parser.parse_args()
    if bool(options.target) == bool(options.demo):
        parser.error("give FILE.py:FUNCTION or --demo")
    make = demos[options.demo] if options.demo else _load(options.target)
    document = export(*make(), name=options.name or options.demo,
                      flops=options.flops, bandwidth=options.bandwidth,
                      measure=options.measure)
    text = json.dumps(document, indent=None, separators=(",", ":"))
    text = text.replace("},{", "},\n{").replace('"nodes":[', '"nodes":[\n')
    if options.output:
        with open(options.output, "w", encoding="utf-8") as file:
            file.write(text + "\n")
    else:
        print(text)


if __name__ == "__main__":
    main()
