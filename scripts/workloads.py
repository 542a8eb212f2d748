#!/usr/bin/env python3
"""Writes configs/workloads: the batch-norm layers of published networks.

ResNet-50, DenseNet-121 and Inception-v3 are the lists in tb/data/cases/shapes.json, whose names end in *N where a shape
occurs N times. The others follow their architecture definitions, block by block; equal shapes stand once, with a repeat
count. tb/unit/workload counts both against the architectures in another way.

  scripts/workloads.py           writes the files
  scripts/workloads.py --check   says which of them differ, exit code 1
"""
import json
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
SHAPES = json.loads((ROOT / "tb/data/cases/shapes.json").read_text())["shapes"]


def listed(net):
    """(name, channels, height, repeat) of each entry, and the batch."""
    layers, batch = [], None
    for shape in (s for s in SHAPES if s["net"] == net):
        name, repeat = re.fullmatch(r"(.*?)(?:\*(\d+))?", shape["layer"]).groups()
        layers.append((name, shape["C"], shape["H"], int(repeat or 1)))
        batch = shape["N"]
    return layers, batch


def merged(layers):
    """Equal shapes once, in the order of their first occurrence, under its name."""
    found = {}
    for name, channels, height in layers:
        entry = found.setdefault((channels, height), [name, channels, height, 0])
        entry[3] += 1
    return [tuple(entry) for entry in found.values()]


def vgg16_bn():
    layers, height = [], 224
    for stage, (channels, count) in enumerate([(64, 2), (128, 2), (256, 3), (512, 3), (512, 3)], 1):
        layers += [(f"conv{stage}_{k}", channels, height) for k in range(1, count + 1)]
        height //= 2
    return merged(layers)


def inverted_residuals(stem, stages, head):
    """MobileNetV2 and EfficientNet: (expansion, channels, blocks, stride) a stage."""
    layers, height, before = [("stem", stem, 112)], 112, stem
    for stage, (expansion, channels, blocks, stride) in enumerate(stages, 1):
        for block in range(1, blocks + 1):
            name, hidden = f"stage{stage}_{block}", before * expansion
            if expansion != 1:
                layers.append((f"{name}_expand", hidden, height))
            height //= stride if block == 1 else 1
            layers += [(f"{name}_depthwise", hidden, height), (f"{name}_project", channels, height)]
            before = channels
    return merged(layers + [("head", head, height)])


def mobilenet_v2():
    return inverted_residuals(32, [(1, 16, 1, 1), (6, 24, 2, 2), (6, 32, 3, 2), (6, 64, 4, 2), (6, 96, 3, 1),
                                   (6, 160, 3, 2), (6, 320, 1, 1)], 1280)


def efficientnet_b0():
    return inverted_residuals(32, [(1, 16, 1, 1), (6, 24, 2, 2), (6, 40, 2, 2), (6, 80, 3, 2), (6, 112, 3, 1),
                                   (6, 192, 4, 2), (6, 320, 1, 1)], 1280)


def resnet_18():
    layers, height = [("conv1", 64, 32)], 32
    for stage, channels in enumerate([64, 128, 256, 512], 1):
        height //= 1 if stage == 1 else 2
        for block in (1, 2):
            layers += [(f"layer{stage}_{block}_conv{k}", channels, height) for k in (1, 2)]
        if stage > 1:
            layers.append((f"layer{stage}_downsample", channels, height))
    return merged(layers)


def unet():
    down = [(f"down{k}", 64 << k, 512 >> k) for k in range(4)]
    up = [(f"up{k}", 64 << k, 512 >> k) for k in reversed(range(4))]
    return merged([layer for layer in down + [("bottom", 1024, 32)] + up for _ in (1, 2)])


def dcgan():
    generator = [(f"generator_{c}", c, h, 1) for c, h in [(512, 4), (256, 8), (128, 16), (64, 32)]]
    return generator + [(f"discriminator_{c}", c, h, 1) for c, h in [(128, 16), (256, 8), (512, 4)]]


def from_shapes(net):
    layers, batch = listed(net)
    return f"tb/data/cases/shapes.json, {net}", batch, layers


NETWORKS = {
    "resnet_50": from_shapes("resnet_50"),
    "densenet_121": from_shapes("densenet_121"),
    "inception_v3": from_shapes("googlenet_v3"),
    "vgg16_bn": ("torchvision vgg16_bn, 224 x 224 images", 32, vgg16_bn()),
    "mobilenet_v2": ("torchvision mobilenet_v2, 224 x 224 images", 64, mobilenet_v2()),
    "efficientnet_b0": ("torchvision efficientnet_b0, 224 x 224 images", 64, efficientnet_b0()),
    "resnet_18": ("ResNet-18 for CIFAR, 32 x 32 images", 128, resnet_18()),
    "unet": ("U-Net with padded convolutions, 512 x 512 images", 4, unet()),
    "dcgan": ("PyTorch's DCGAN example, 64 x 64 images: generator and discriminator", 128, dcgan()),
}


def text(name, source, batch, layers):
    lines = []
    for layer, channels, height, repeat in layers:
        entry = {"name": layer.replace("/", "_"), "nchw": [batch, channels, height, height], "repeat": repeat}
        lines.append("    " + json.dumps(entry))
    head = {"schema": 1, "name": name, "source": source, "batch": batch, "dtype": "bf16", "place": "hbm"}
    body = "".join(f"  {json.dumps(key)}: {json.dumps(value)},\n" for key, value in head.items())
    return "{\n" + body + '  "layers": [\n' + ",\n".join(lines) + "\n  ]\n}\n"


def main():
    differing = []
    for name, network in NETWORKS.items():
        path, wanted = ROOT / "configs/workloads" / f"{name}.json", text(name, *network)
        if sys.argv[1:] != ["--check"]:
            path.write_text(wanted)
        elif not path.exists() or path.read_text() != wanted:
            differing.append(path)
    for path in differing:
        print(f"{path} differs from what scripts/workloads.py writes", file=sys.stderr)
    return 1 if differing else 0


if __name__ == "__main__":
    sys.exit(main())
