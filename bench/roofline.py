"""The roofline of the machine with the phases of a step on it (Williams, Waterman & Patterson 2009)."""

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt


def draw(result, path):
    """Draws the phases of a bench.json, as a dict, between the roofs that the same run measured."""
    peak = result["kernels"]["machine"]["peak"]["flops"] / 1e9
    stream = result["kernels"]["machine"]["stream_triad"]["bytes"] / 1e9
    figure, axes = plt.subplots(figsize=(7, 5), layout="constrained")
    low, high = 0.02, 300.0
    corner = peak / stream
    axes.plot([low, corner, high], [low * stream, peak, peak], color="black")
    axes.plot([corner, high], [0.5 * peak, 0.5 * peak], color="black", linestyle=":")
    axes.annotate(f"multiply-adds {peak:.1f} GFLOP/s", (high, peak), ha="right", va="bottom")
    axes.annotate("without fusing", (high, 0.5 * peak), ha="right", va="bottom")
    axes.annotate(f"STREAM {stream:.1f} GB/s", (low, low * stream), ha="left", va="bottom", rotation=35)
    for name, rate in result["phase_rates"].items():
        share = result["phases"].get(name, 0)
        axes.scatter(rate["flops_per_byte"], rate["gflops"], s=20 + 1000 * share, alpha=0.5)
        axes.annotate(f"{name} {100 * share:.0f} %", (rate["flops_per_byte"], rate["gflops"]), fontsize=8)
    axes.set(
        xscale="log",
        yscale="log",
        xlim=(low, high),
        xlabel="flops per byte, by formula",
        ylabel="GFLOP/s of a core, by formula",
        title="Phases of a step; areas are shares of its time",
    )
    figure.savefig(path, dpi=120)
    plt.close(figure)
